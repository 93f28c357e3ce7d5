import LoopbackServer
import Testing
import Transport

@testable import Providers

/// What services say of permissions, and what of that is believed.
struct PermissionsTests {
    @Test(arguments: [
        (
            #"{"version":"0","auth":{"scopes":["org:read","event:read"]},"user":null}"#, 200,
            ["org:read", "event:read"]
        ),
        (#"{"auth":{"scopes":[]}}"#, 200, []),
        (#"{"auth":{"scopes":["org:read","<b>","","A:B"]}}"#, 200, ["org:read"]),
        (#"{"version":"0","auth":null,"user":{}}"#, 200, nil), (#"{"auth":{"scopes":"org:read"}}"#, 200, nil),
        ("<!doctype html>", 200, nil), ("[]", 200, nil), (#"{"detail":"no"}"#, 403, nil),
    ]) func scopesOfATokenAreReadWhereTheyAreReported(body: String, status: Int, scopes: [String]?)
        async throws
    {
        let server = try await LoopbackServer.start { request in
            request.path == "/api/0/" ? .json(body, status: status) : .json("{}", status: 404)
        }
        let base = try Address(server.origin).sentryAPIRoot()
        #expect(await sentryGrantedScopes(below: base, limits: Limits(), sender: client()) == scopes)
        await server.stop()
    }

    private func refusal(_ body: String, status: Int = 403, challenge: String = "Bearer") throws -> Response {
        var headers = Headers()
        try headers.append("WWW-Authenticate", challenge)
        return Response(
            status: status, headers: headers, body: Array(body.utf8), address: try Address("https://host/"))
    }

    private func google(_ reason: String) -> String {
        #"{"error":{"code":403,"message":"no","status":"PERMISSION_DENIED","details":[{"reason":"\#(reason)"}]}}"#
    }

    @Test func aRefusalOfGoogleNamesWhatIsMissing() throws {
        let service = PlayProvider.service
        func check(
            _ refusal: Response, _ missing: [String], sourceLocation: SourceLocation = #_sourceLocation
        ) {
            #expect(
                googleMissingPermissions(in: refusal, of: service) == missing, sourceLocation: sourceLocation)
        }
        check(try refusal(google("ACCESS_TOKEN_SCOPE_INSUFFICIENT")), [service.scope])
        check(try refusal("{}", challenge: "Bearer error=\"insufficient_scope\""), [service.scope])
        check(
            try refusal(google("SERVICE_DISABLED")), ["the Google Play Developer Reporting API, enabled"])
        check(
            try refusal(google("IAM_PERMISSION_DENIED")),
            [
                "View app information (read-only), or for this app View app quality information (read-only)"
            ])
        check(
            try refusal("<html>"),
            [
                "View app information (read-only), or for this app View app quality information (read-only)"
            ])
        check(try refusal(google("SERVICE_DISABLED"), status: 401), [])
        for permission in googleMissingPermissions(in: try refusal("{}"), of: service) {
            #expect(service.permissions.contains(permission))
        }
    }

    @Test(arguments: [
        (#"{"errors":["no stability"]}"#, 403, ["no stability"]), (#"{"errors":["x"]}"#, 401, []),
        ("<html>", 403, []), (#"{"errors":"x"}"#, 403, []),
    ]) func aRefusalOfBugsnagNamesWhatThePlanLacks(body: String, status: Int, missing: [String]) throws {
        #expect(bugsnagMissingPermissions(in: try refusal(body, status: status)) == missing)
    }
}
