//! Links libpq and gives the library the name that ODPI-C and oracle_fdw load.

fn main() {
    println!("cargo:rustc-link-lib=pq");
    println!("cargo:rustc-cdylib-link-arg=-Wl,-soname,libclntsh.so");
}
