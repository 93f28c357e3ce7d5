import Platform

/// Whether something is mounted at a folder, so that no rename can put another one in its place.
///
/// Where the system does not say so of the folder itself, another device than that of the folder above does; a folder
/// mounted a second time is then found in the list of mounts, where the system has one.
package func isMountPoint(_ path: String) -> Bool {
    if let known = FoundName(targetOfLink(path), in: AT_FDCWD)?.isMountPoint { return known }
    guard let place = realPath(path) else { return false }
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

/// A name in a folder, as the system describes what it leads to; links are not followed.
struct FoundName {
    let status: stat
    /// Whether something is mounted there; nil where the system does not say.
    let isMountPoint: Bool?

    /// Nil when there is nothing, or the system does not say what.
    init?(_ name: String, in folder: Int32) {
        var (status, mounted) = (stat(), Int32(-1))
        guard cplatform_status(folder, name, &status, &mounted) == 0 else { return nil }
        (self.status, isMountPoint) = (status, mounted < 0 ? nil : mounted == 1)
    }

    var isFolder: Bool { status.st_mode & S_IFMT == S_IFDIR }

    /// Whether it is no part of the folder that it is in: a folder of the same disk can be mounted too, and a file.
    func isForeign(to device: dev_t) -> Bool {
        isMountPoint == true || isFolder && status.st_dev != device
    }
}
