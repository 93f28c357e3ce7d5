import Platform

/// Opens the standard descriptors that are closed on `/dev/null`.
///
/// The first file that the program opens would get the number of a closed one, and lines for people would be written into
/// it. A job that closes its output wants to read nothing, so that nothing is lost.
package func openStandardDescriptors() {
    // In this order, as each gets the least free number.
    for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] where fcntl(descriptor, F_GETFD) < 0 {
        _ = open("/dev/null", O_RDWR)
    }
}
