import Platform

/// Whether something is mounted at a folder, so that no rename can put another one in its place.
///
/// Another device than the folder above says so; a folder mounted a second time is found in the list of mounts, where the
/// system has one.
package func isMountPoint(_ path: String) -> Bool {
    guard let text = realpath(path, nil) else { return false }
    defer { free(text) }
    let place = String(cString: text)
    guard place != "/" else { return true }
    var (own, above) = (stat(), stat())
    guard lstat(place, &own) == 0, lstat(splitPath(place).folder, &above) == 0 else { return false }
    if own.st_dev != above.st_dev { return true }
    guard let mounts = try? readFile("/proc/self/mountinfo") else { return false }
    return mountPoints(in: String(decoding: mounts, as: UTF8.self)).contains(place)
}

/// The places in a list of mounts as Linux writes it: the fifth word of each line, with spaces, tabs and line ends as
/// three octal digits.
package func mountPoints(in list: String) -> Set<String> {
    Set(
        list.split(separator: "\n").compactMap { line in
            line.split(separator: " ").dropFirst(4).first.map { word in
                var place = String(word)
                for (code, character) in [("\\040", " "), ("\\011", "\t"), ("\\012", "\n"), ("\\134", "\\")] {
                    place = place.replacing(code, with: character)
                }
                return place
            }
        })
}
