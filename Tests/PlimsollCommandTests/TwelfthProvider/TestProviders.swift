import Providers

/// The providers of the program and those that tests add: one line for each.
let testProviders =
    standardProviders + [
        .beacon
    ]
