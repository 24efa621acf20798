CREATE INDEX carry_tx ON carry (xidusn, xidslt, xidsqn, con_uid) LOGGING;
