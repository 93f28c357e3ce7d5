/// A request that a fetch would make; `{name}` in its address stands for what an earlier answer tells.
package struct PlannedRequest: Hashable, Sendable {
    /// `GET`, or `LIST` and `READ` for files.
    package var method: String
    /// The address or the path, free of secrets.
    package var address: String
    /// What is learnt from it.
    package var purpose: String
    /// The most requests of this kind.
    package var most: Int

    /// Makes a planned request.
    package init(_ method: String, _ address: String, purpose: String, most: Int = 1) {
        self.method = method
        self.address = address
        self.purpose = purpose
        self.most = most
    }
}
