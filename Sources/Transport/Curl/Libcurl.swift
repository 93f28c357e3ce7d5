private import CCurl

/// What every handle of libcurl needs before it is made.
enum Libcurl {
    // libcurl counts initialisations; one for the process is enough, and `static let` makes it once.
    private static let isReady = curl_global_init(Int(CURL_GLOBAL_SSL | CURL_GLOBAL_WIN32)) == CURLE_OK

    /// Starts libcurl unless it has been started.
    static func start() throws(CurlFailure) {
        guard isReady else { throw .outOfMemory(doing: "starting libcurl") }
    }
}

extension CurlFailure {
    static func outOfMemory(doing: String) -> CurlFailure {
        CurlFailure(code: CurlCode(rawValue: 27), doing: doing, text: "out of memory")
    }
}

/// The libraries that requests are made with, each with its version, as libcurl lists them.
package var transportLibraries: [(name: String, version: String)] {
    (unsafe String(cString: curl_version())).split(separator: " ").map { item in
        let parts = item.split(separator: "/", maxSplits: 1).map(String.init)
        return (parts[0], parts.count > 1 ? parts[1] : "")
    }
}
