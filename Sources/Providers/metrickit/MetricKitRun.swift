import AppHealth
import Diagnostics
import Files
import Transport

/// One reading of a directory of payloads into one snapshot. A file that cannot be read is reported in a warning.
struct MetricKitRun {
    let configuration: MetricKitConfiguration
    let sender: any Sender
    var outcome = FetchOutcome()
    private var tally = MetricKitTally()
    private var good = 0
    private var seen: Set<ContentDigest> = []
    private var losses: SkippedValues
    private var canceled: RequestFault?

    /// How deep payloads are read: 96 levels hold the 40 first calls and more.
    static let levels = 96

    init(configuration: MetricKitConfiguration, sender: any Sender) {
        self.configuration = configuration
        self.sender = sender
        losses = SkippedValues(
            provider: MetricKitProvider.name, endpoint: configuration.path, origin: .file)
    }

    /// Completes the snapshot that has all but its content.
    mutating func fetch(_ empty: Snapshot) async {
        var snapshot = empty
        do throws(FilesError) {
            let paths = try paths()
            // A day of which a part is read would be less than what is stored of it.
            guard paths.count <= configuration.mostFiles else {
                return fail(many(paths.count), at: snapshot.capturedAt)
            }
            for path in paths where canceled == nil { await read(path) }
        } catch {
            return fail(error.diagnostic, at: snapshot.capturedAt)
        }
        if let canceled { return fail(canceled.diagnostic, at: snapshot.capturedAt) }
        guard good > 0 else { return fail(nothing, at: snapshot.capturedAt) }
        snapshot.issues = tally.issues(knowing: configuration.knownIssues())
        snapshot.issueDays = tally.issueDays
        snapshot.health = tally.health
        snapshot.coverage = tally.coverage
        snapshot.warnings = losses.warnings
        outcome.snapshots = [snapshot]
    }

    private mutating func paths() throws(FilesError) -> [String] {
        guard try sourceKind(configuration.path) == .folder else { return [configuration.path] }
        let entries = try SnapshotFolder(configuration.path).entries()
        for refusal in entries.compactMap(\.refusal) { leaveOut(FilesError.refused(refusal).diagnostic) }
        return entries.filter { $0.refusal == nil }.map(\.path).filter { $0.hasSuffix(".json") }
    }

    private mutating func read(_ path: String) async {
        outcome.requests += 1
        do throws(FilesError) {
            await read(Request(.get, try fileAddress(path), limits: limits), path)
        } catch {
            leaveOut(error.diagnostic)
        }
    }

    private mutating func read(_ request: Request, _ path: String) async {
        do throws(RequestFault) {
            add(try await sender.goodResponse(to: request).body, path)
        } catch {
            if error.isCanceled { canceled = error }
            leaveOut(error.diagnostic)
        }
    }

    private var limits: Limits {
        var limits = configuration.limits
        limits.bodyBytes = configuration.mostBytes
        return limits
    }

    private mutating func add(_ bytes: [UInt8], _ path: String) {
        guard seen.insert(ContentDigest(of: bytes)).inserted else {
            return losses.add(
                .warning(
                    "metrickit.twice", "metrickit: file is the same as another", at: .file(path: path),
                    hints: ["keep one of them"]))
        }
        let decoder = ResponseDecoder(provider: MetricKitProvider.name, endpoint: path, origin: .file)
        do throws(DecodingFailure) {
            let shallow = prunedJSON(shortenedTrees(utf8(bytes), levels: Self.levels), levels: Self.levels)
            let (document, lost) = try decoder.decode(MetricKitDocument.self, from: shallow)
            for warning in lost.warnings { losses.add(warning) }
            for (_, payload) in document.items {
                tally.add(payload)
                good += 1
            }
        } catch {
            losses.add(error.warning)
        }
    }

    private mutating func leaveOut(_ why: Diagnostic) {
        var why = why
        why.severity = .warning
        losses.add(why)
    }

    private mutating func fail(_ why: Diagnostic, at time: Instant) {
        outcome.failures = [FetchOutcome.Failure(at: time, why: why)]
        outcome.warnings = losses.warnings
    }

    private func many(_ count: Int) -> Diagnostic {
        .error(
            "files.many",
            "metrickit: the folder has \(count) files, more than the \(configuration.mostFiles) of one fetch",
            details: ["nothing was read; the archive keeps what was read before"],
            at: .file(path: configuration.path),
            hints: ["move the files of whole old days elsewhere; the archive keeps these days"])
    }

    private var nothing: Diagnostic {
        .error(
            "metrickit.nothing", "metrickit: no payload could be read",
            at: .file(path: configuration.path),
            hints: ["let the app's server write each payload's jsonRepresentation into a file here"])
    }
}
