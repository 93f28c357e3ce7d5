import Diagnostics
import Transport

/// Reads the file of a segment from the address that the API named.
///
/// Whoever has the address may read the file: its query is a secret. No credential goes there.
struct AppStoreConnectDownload {
    let segment: AppStoreConnectSegment
    let configuration: AppStoreConnectConfiguration

    /// The table's text.
    func text(
        by client: inout ServiceClient, through sender: any Sender
    ) async throws(ServiceFault) -> [UInt8] {
        let response = try await client.file(try request(client), through: sender)
        guard (200...299).contains(response.status) else { throw refused(response) }
        // A store that names the coding has had it undone already; size and checksum are those of the file.
        if response.headers["Content-Encoding"] != nil { return response.body }
        if let fault = damage(response) { throw fault }
        do throws(TransportError) {
            return try response.gunzippedBody(most: configuration.segmentBytes)
        } catch {
            throw client.fault(.transport(error))
        }
    }

    private func request(_ client: ServiceClient) throws(ServiceFault) -> Request {
        let address: Address
        do throws(AddressError) {
            address = try Address(segment.attributes.url.text)
        } catch {
            throw client.fault(.address(error))
        }
        let schemes: [Origin.Scheme] =
            configuration.base.origin.scheme == .https ? [.https] : [.https, .http]
        guard schemes.contains(address.origin.scheme) else {
            throw fault(
                "the address of a segment does not begin with https://", "scheme",
                address.origin.description)
        }
        var limits = configuration.limits
        limits.followsOtherOrigins = true
        var request = Request(.get, address, limits: limits)
        for secret in secrets(in: address) { request.conceal(secret) }
        return request
    }

    /// The query as a whole, and each of its values that is long enough to be reported from common words.
    private func secrets(in address: Address) -> [Secret] {
        guard let query = address.query else { return [] }
        let values = query.split(separator: "&").compactMap { part in
            part.split(separator: "=", maxSplits: 1).dropFirst().first.map(String.init)
        }
        return ([query] + values.filter { $0.utf8.count >= 16 }).compactMap { Secret($0) }
    }

    /// What the file lacks of what the API said of it.
    private func damage(_ response: Response) -> ServiceFault? {
        let (size, place) = (response.body.count, place(of: response))
        if let expected = segment.attributes.sizeInBytes?.value, expected != size {
            return fault("a segment has \(size) bytes, expected \(expected)", "size", place)
        }
        if let checksum = segment.attributes.checksum.flatMap({ Checksum($0.text) }),
            !checksum.matches(response.body)
        {
            return fault("a segment is not what its checksum says", "checksum", place)
        }
        return nil
    }

    /// The store's words may quote what was signed: they are not reported.
    private func refused(_ response: Response) -> ServiceFault {
        fault(
            "the store of the segments returned \(response.status)", "segment-\(response.status)",
            place(of: response),
            hint: "fetch again: the address of a segment is good for minutes only")
    }

    private func fault(
        _ what: String, _ id: String, _ place: String,
        hint: String = "fetch again; stored data is unchanged"
    ) -> ServiceFault {
        let name = AppStoreConnectProvider.name
        let diagnostic = Diagnostic.error(
            "\(name).\(id)", "\(name): \(what)", at: .address(place), hints: [hint])
        return ServiceFault(kind: .reported(diagnostic), profile: .appStoreConnect)
    }

    private func place(of response: Response) -> String {
        response.redaction.masked(String(response.address.text.prefix { $0 != "?" }))
    }
}
