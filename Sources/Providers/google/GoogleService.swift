/// One of Google's services, with what differs in asking it.
struct GoogleService: Sendable {
    /// The provider's name.
    var name: String
    /// Where it usually answers.
    var usualBase: String
    /// What the access token must be for.
    var scope: String
    /// What the API is called in the Google Cloud console.
    var api: String
    /// The right or role that the account needs, by the name that the service's console gives it.
    var role: String
    /// What to do when the account may not see the app.
    var permissionHint: String
}
