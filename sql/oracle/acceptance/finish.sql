-- Used by the scripts: ends LogMiner.
EXECUTE DBMS_LOGMNR.END_LOGMNR
