import Archive
import Markup
import SiteChecks
import Transport

/// The version of the program.
let programVersion = "0.2.0"

/// The version with those of the libraries that are found when the program starts.
var verboseVersion: String {
    let libraries =
        transportLibraries + [("SQLite", sqliteVersion), ("cmark", cmarkVersion), ("expat", expatVersion)]
    return ([("plimsoll", programVersion)] + libraries).map { "\($0.0) \($0.1)\n" }.joined()
}
