import LoopbackServer
import Testing

@testable import Transport

/// Files that are gzip themselves.
struct GzipFileTests {
    private static let text = [UInt8]("Date\tSessions\n".utf8)
    private static let large = [UInt8](repeating: 7, count: 3 << 20)

    /// A file that is gzip itself: its body, the most bytes, and what comes of it.
    @Test(
        arguments: [
            (gzipped(text), 100, nil), (gzipped([]), 0, nil), (gzipped(large), 3 << 20, nil),
            (gzipped(text) + gzipped(large), 4 << 20, nil), ([], 100, nil),
            (gzipped(large), 3 << 20 - 1, .tooLarge), (Array(gzipped(text).dropLast()), 100, .truncated),
            (Array(gzipped(large).prefix(1 << 20)), 4 << 20, .truncated), (text, 100, .encoding),
            (Array(gzipped(text).dropLast(8)) + [1, 2, 3, 4, 5, 6, 7, 8], 100, .encoding),
        ] as [([UInt8], Int, TransportError.Kind?)])
    func fileThatIsGzipIsReadToItsEnd(body: [UInt8], most: Int, kind: TransportError.Kind?) throws {
        let response = Response(
            status: 200, body: body, address: try Address("https://a.b/f?Signature=5ecret"))
        do throws(TransportError) {
            let bytes = try response.gunzippedBody(most: most)
            #expect(kind == nil)
            #expect(bytes.count <= most)
        } catch {
            #expect(error.kind == kind)
            #expect(!error.address.contains("5ecret"))
        }
    }
}
