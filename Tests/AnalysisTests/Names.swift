import AppHealth

/// The word means the issues of apps here, not those of tests.
typealias Issue = AppHealth.Issue
