import AppHealth
import Diagnostics
import Files

/// The queries that a person wrote: a file for each, named after it.
struct QueryFile: Hashable, Sendable {
    var text: String
    /// How messages name it.
    var shown: String
    /// The relative standard error of its counts of sessions and users; 0 when they are exact, nil when the query is the
    /// user's own.
    var deviation: Double?
    /// Whether what it says of crashes is of a table that is loaded apart from that of the sessions.
    var readsCrashTable: Bool
    /// Whether what it says of new users is of a table that is loaded apart from that of the sessions.
    var readsFirstsTable = true
}

/// The longest file of a query, in bytes.
private let longestQuery = 200_000

/// Reads the files of queries in a folder; a file of another name is a mistake.
///
/// - Parameter shown: How messages name the folder.
func queryFiles(in folder: String, shownAs shown: String, provider: String) throws(Diagnostic)
    -> [WarehouseQuery: QueryFile]
{
    func fault(_ what: String, _ place: String, _ hint: String) -> Diagnostic {
        .error("\(provider).sql", "\(provider): \(what)", at: .file(path: place), hints: [hint])
    }
    let names: [String]
    do throws(FileFailure) {
        names = try folderNames(folder)
    } catch {
        throw fault("Folder of queries cannot be read: \(error.systemReason)", shown, "check 'sql'")
    }
    let known = WarehouseQuery.allCases.map(\.rawValue)
    var files: [WarehouseQuery: QueryFile] = [:]
    for name in names where name.hasSuffix(".sql") && !name.hasPrefix(".") {
        let (stem, place) = (String(name.dropLast(4)), "\(shown)/\(name)")
        guard let query = WarehouseQuery(rawValue: stem) else {
            let near = nearestName(to: String(stem.prefix(60)), among: known)
            throw fault(
                "No query has the name '\(printable(String(stem.prefix(100))))'", place,
                near.map { "did you mean '\($0).sql'?" } ?? "use one of \(known.joined(separator: ", "))")
        }
        let unfit = fault("Query is empty, too long or no UTF-8", place, "write one SELECT of at most 200 kB")
        let bytes: [UInt8]
        do throws(FileFailure) {
            bytes = try readFile("\(folder)/\(name)", limit: longestQuery)
        } catch {
            if error.isTooLarge { throw unfit }
            throw fault(
                "Query cannot be read: \(error.systemReason)", place,
                error.diagnostic.hints.first ?? "check its permissions")
        }
        guard let text = String(validating: bytes, as: UTF8.self), !text.isEmpty, !text.contains("\0") else {
            throw unfit
        }
        files[query] = QueryFile(text: text, shown: place, readsCrashTable: query.isOfCrashes)
    }
    guard !files.isEmpty else {
        throw fault("Folder has no queries", shown, "add a file such as \(known[0]).sql")
    }
    return files
}
