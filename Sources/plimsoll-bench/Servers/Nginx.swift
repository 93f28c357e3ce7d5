import Files
import Foundation
import Platform
import Site

/// A real nginx on a free port of the loopback address.
struct Nginx {
    /// `http://127.0.0.1:port`.
    let origin: String
    private let program: Program

    /// Starts it; throws when it is not installed.
    init(serving root: String, scratch: String) throws {
        let paths = ["/usr/sbin/nginx", "/usr/bin/nginx", "/usr/local/sbin/nginx"]
        guard let path = paths.first(where: { FileManager.default.isExecutableFile(atPath: $0) }) else {
            throw BenchError("nginx is not installed: install the package nginx-light")
        }
        // Nothing else takes the port in the moment until nginx has it.
        let (listener, port) = try listenOnFreePort()
        close(listener)
        origin = "http://127.0.0.1:\(port)"
        try writeFile(scratch + "/nginx.conf", Array(Self.configuration(root, scratch, port).utf8))
        program = try Program(path, ["-c", scratch + "/nginx.conf"])
        do {
            try waitForServer(onPort: port)
        } catch {
            program.stop()
            throw BenchError("nginx is not ready: \(error)")
        }
    }

    func stop() { program.stop() }

    private static func configuration(_ root: String, _ scratch: String, _ port: UInt16) -> String {
        let folders = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map {
            "\($0)_temp_path \(scratch)/nginx-\($0);"
        }
        return """
            daemon off; worker_processes 1; pid \(scratch)/nginx.pid; error_log stderr crit;
            user root;
            events { worker_connections 256; }
            http {
                access_log off; keepalive_requests 1000000; types { application/json json; }
                gzip on; gzip_types application/json; gzip_min_length 256;
                \(folders.joined(separator: "\n    "))
                server { listen 127.0.0.1:\(port); root \(root); }
            }
            """
    }
}
