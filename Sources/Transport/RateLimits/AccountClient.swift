/// Marks every request with the account that it is sent for, for the layers below that count requests.
package struct AccountClient: Sender {
    private let base: any Sender
    private let account: String

    /// Lays the mark over another sender.
    package init(_ base: some Sender, account: String) {
        self.base = base
        self.account = account
    }

    package func send(_ request: Request) async throws(TransportError) -> Response {
        var request = request
        request.account = account
        return try await base.send(request)
    }
}
