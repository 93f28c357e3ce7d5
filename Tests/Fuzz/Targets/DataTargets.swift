import AppHealth
import Configuration
import Diagnostics

@testable import Providers

private let app = App(id: Slug(anyText: "buoy"), name: "Buoy")
private let source = Slug(anyText: "files")
private let now = Instant(secondsSinceEpoch: 1_763_532_000)

/// The scan that says what is wrong with a text, and the one that the decoder reads: they must agree.
let jsonTarget = FuzzTarget("json") { bytes in
    let isJSON = (try? JSONTape(bytes)) != nil
    let fault = JSONScan.fault(in: bytes)
    require(isJSON || fault != nil, "what cannot be read has a fault")
    let pruned = prunedJSON(bytes, levels: 96)
    require(
        pruned.count <= bytes.count + 4 * bytes.count { $0 == 0x5B || $0 == 0x7B }, "pruning adds nothing")
    if isJSON { require((try? JSONTape(pruned)) != nil, "a pruned text is JSON") }
    let shortened = shortenedTrees(bytes, levels: 8)
    if isJSON { require((try? JSONTape(shortened)) != nil, "a text of shortened trees is JSON") }
}

/// A snapshot file, with what is skipped and the keys that are not known.
let decoderTarget = FuzzTarget("decoder") { bytes in
    let reader = SnapshotReader(app: app, sourceID: source, document: "a.json")
    _ = reader.envelope(of: bytes)
    do throws(DecodingFailure) {
        let snapshot = try reader.snapshot(from: bytes)
        require(snapshot.app.id == app.id, "a snapshot is of its app")
        require(snapshot.health.allSatisfy { ($0.sessions ?? 0) >= 0 }, "no count is negative")
    } catch {
        require(!error.diagnostic.summary.isEmpty && !error.diagnostic.hints.isEmpty, "a failure has a hint")
    }
}

let csvTarget = FuzzTarget("csv") { bytes in
    _ = CSVSnapshotReader.app(in: bytes)
    let reader = CSVSnapshotReader(
        app: app, sourceID: source, document: "a.csv", fileTime: now, layout: CSVLayout())
    do throws(CSVSnapshotError) {
        let snapshot = try reader.read(bytes).snapshot
        require(snapshot.health.allSatisfy { ($0.sessions ?? 0) >= 0 }, "no count is negative")
    } catch {
        require(!error.diagnostic(in: "a.csv").hints.isEmpty, "a failure has a hint")
    }
    _ = try? TablePreview(bytes, document: "a.csv")
}

let yamlTarget = FuzzTarget("yaml") { bytes in
    let (file, value) = YAMLFile.read(text(bytes), path: "a.yml")
    require(
        value != nil || !file.problems.isEmpty || bytes.isEmpty || isBlank(bytes),
        "nothing is read without a word")
}

/// Comments and marks of documents hold nothing, and are no mistake.
private func isBlank(_ bytes: [UInt8]) -> Bool {
    YAMLFile.read(text(bytes), path: "a.yml").0.problems.isEmpty
}

let configurationTarget = FuzzTarget("configuration") { bytes in
    let (configuration, problems) = readConfiguration(text(bytes), path: "plimsoll.yml", sources: [])
    require(configuration != nil || !problems.isEmpty, "what is no configuration has a problem")
    _ = readMutes(text(bytes), path: "mutes.yml", apps: [app.id])
}

let linkTarget = FuzzTarget("link-header") { bytes in
    for link in links(in: text(bytes)) { _ = link.isNext }
}
