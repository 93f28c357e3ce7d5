import Diagnostics
import Foundation
import Site

/// The folder with the default theme and the demo, found from any working directory.
///
/// Looked for in the variable `PLIMSOLL_DATA`, then in `share/plimsoll` next to the folder of the program, then in
/// the folders above the program, where a checkout has them.
func installedData(_ environment: [String: String]) throws(Diagnostic) -> String {
    var places: [String] = []
    if let named = environment["PLIMSOLL_DATA"], !named.isEmpty { places.append(named) }
    if let program = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe") {
        var folder = parentFolder(program)
        places.append(parentFolder(folder) + "/share/plimsoll")
        for _ in 0..<6 {
            folder = parentFolder(folder)
            places.append(folder)
        }
    }
    for place in places where pathKind(place + "/Themes/default") == .folder { return place }
    throw .error(
        "install.no-data", "Default theme not found",
        details: ["searched: " + places.joined(separator: ", ")],
        hints: [
            "install plimsoll with 'make install', or set PLIMSOLL_DATA to the folder that holds Themes and Content"
        ])
}

/// The folder above a path.
func parentFolder(_ path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
}
