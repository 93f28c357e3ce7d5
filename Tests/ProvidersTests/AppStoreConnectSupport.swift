import AppHealth
import AppStoreConnectStub
import Diagnostics
import Foundation
import LoopbackServer
import Testing
import Transport

@testable import Providers

/// A fetch from the stand-in; makes sure that no token and no signature of a file is in any text of it.
func fetchAppStoreConnect(
    _ content: StubReports = StubReports(), app name: String = StubAppStoreConnect.appID,
    platform: String = "", sender: any Sender = client(),
    fault: @escaping StubAppStoreConnect.Fault = { _ in nil },
    change: (inout AppStoreConnectConfiguration) -> Void = { _ in },
    clock: @escaping @Sendable () -> Int = { runTime.secondsSinceEpoch }
) async throws -> (outcome: FetchOutcome, stub: StubAppStoreConnect) {
    let stub = try await StubAppStoreConnect.start(content, clock: clock, fault: fault)
    let provider = try appStoreConnectProvider(stub, app: name, sender: sender, clock: clock, change: change)
    var ferry = app("ferry")
    ferry.platform = platform
    let outcome = await provider.fetch(ferry, at: runTime)
    await stub.stop()
    let text = outcome.diagnostics.map(\.everything).joined(separator: "\n") + "\(outcome)"
    let keyLine = StubTeamKey.shared.pem.split(separator: "\n")[1]
    #expect(!text.contains(StubAppStoreConnect.signature))
    #expect(!text.contains("eyJ") && !text.contains(keyLine))
    return (outcome, stub)
}

func appStoreConnectProvider(
    _ stub: StubAppStoreConnect, app name: String = StubAppStoreConnect.appID, sender: any Sender = client(),
    kept: KeptBytes? = nil,
    clock: @escaping @Sendable () -> Int = { runTime.secondsSinceEpoch },
    change: (inout AppStoreConnectConfiguration) -> Void = { _ in }
) throws -> AppStoreConnectProvider {
    let key = StubTeamKey.shared
    var configuration = try AppStoreConnectConfiguration(
        app: name, issuer: key.issuer, keyID: key.id, key: key.pem, base: stub.api.origin)
    change(&configuration)
    return AppStoreConnectProvider(configuration, sender: sender, kept: kept, now: clock)
}

/// The text of all files of a folder.
func everyFile(in folder: String) throws -> String {
    try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
        .map { try String(contentsOfFile: "\(folder)/\($0)", encoding: .utf8) }.joined()
}

/// Whether a request is for the segments' list of an instance.
func isSegments(_ request: RecordedRequest, of instance: String) -> Bool {
    request.path == "/v1/analyticsReportInstances/\(instance)/segments"
}

/// A list of one segment.
func oneSegment(_ attributes: String) -> StubResponse {
    .json(
        #"{"data":[{"type":"analyticsReportSegments","id":"s","attributes":{\#(attributes)}}],"links":{"self":""}}"#
    )
}
