/// Ends the program with this status, once what was printed has left it.
///
/// `exit` would also run what libraries do at the end, OpenSSL's release of its tables among it, while a thread may
/// still close the connections of a client that has just gone; both then release the same memory.
package func endProgram(_ status: Int32) -> Never {
    fflush(nil)
    _exit(status)
}
