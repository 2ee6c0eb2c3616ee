// A target needs a source; what this one builds stands in Package.swift.
