private import CCurl

/// A result code of libcurl; a struct so that codes of later versions survive.
struct CurlCode: RawRepresentable, Hashable, Sendable {
    let rawValue: UInt32

    /// libcurl's own name for the codes met here, and the number for all.
    var name: String { Self.known[rawValue].map { "\($0.name) (\(rawValue))" } ?? "CURLE (\(rawValue))" }

    /// The kind of failure this code stands for.
    var kind: TransportError.Kind { Self.known[rawValue]?.kind ?? .failed }

    /// The kind, with what libcurl said: in TLS 1.3 the server refuses a client's certificate only after the
    /// handshake, which libcurl tells as a failure to receive; and a connection that breaks in the handshake
    /// it tells as a failure of TLS.
    func kind(saying message: String) -> TransportError.Kind {
        let broken = ["Connection reset by peer", "SSL_ERROR_SYSCALL", "unexpected eof"]
        if rawValue == 35, broken.contains(where: message.contains) { return .reset }
        let told = ["alert certificate", "alert bad certificate", "alert unknown ca", "alert access denied"]
        return kind == .reset && told.contains(where: message.contains) ? .tls : kind
    }

    /// libcurl's text for the code.
    var text: String { unsafe String(cString: curl_easy_strerror(CURLcode(rawValue: rawValue))) }

    private static let known: [UInt32: (name: String, kind: TransportError.Kind)] = [
        1: ("CURLE_UNSUPPORTED_PROTOCOL", .malformed), 3: ("CURLE_URL_MALFORMAT", .failed),
        5: ("CURLE_COULDNT_RESOLVE_PROXY", .resolve), 6: ("CURLE_COULDNT_RESOLVE_HOST", .resolve),
        7: ("CURLE_COULDNT_CONNECT", .refused), 8: ("CURLE_WEIRD_SERVER_REPLY", .malformed),
        16: ("CURLE_HTTP2", .reset), 18: ("CURLE_PARTIAL_FILE", .truncated),
        23: ("CURLE_WRITE_ERROR", .failed), 26: ("CURLE_READ_ERROR", .file),
        27: ("CURLE_OUT_OF_MEMORY", .failed),
        28: ("CURLE_OPERATION_TIMEDOUT", .timeout), 35: ("CURLE_SSL_CONNECT_ERROR", .tls),
        37: ("CURLE_FILE_COULDNT_READ_FILE", .file), 52: ("CURLE_GOT_NOTHING", .reset),
        55: ("CURLE_SEND_ERROR", .reset), 56: ("CURLE_RECV_ERROR", .reset),
        58: ("CURLE_SSL_CERTPROBLEM", .tls), 59: ("CURLE_SSL_CIPHER", .tls),
        60: ("CURLE_PEER_FAILED_VERIFICATION", .tls), 61: ("CURLE_BAD_CONTENT_ENCODING", .encoding),
        63: ("CURLE_FILESIZE_EXCEEDED", .tooLarge), 77: ("CURLE_SSL_CACERT_BADFILE", .tls),
        80: ("CURLE_SSL_SHUTDOWN_FAILED", .tls), 91: ("CURLE_SSL_INVALIDCERTSTATUS", .tls),
        92: ("CURLE_HTTP2_STREAM", .reset), 97: ("CURLE_PROXY", .refused),
    ]
}

/// A call of libcurl that failed: what was being done, the code, and libcurl's text.
struct CurlFailure: Error {
    var code: CurlCode
    var doing: String
    var text: String
}
