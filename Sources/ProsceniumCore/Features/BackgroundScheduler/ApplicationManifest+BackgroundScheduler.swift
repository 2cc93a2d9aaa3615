import ProsceniumJSON

extension ApplicationManifest {
  /// The identifiers of the tasks that the program may request (``BackgroundScheduler``), reverse-DNS names such as
  /// `org.example.Reader.refresh`; none by default.
  ///
  /// A file beside the program may replace it: an array of strings.
  public var permittedTaskIdentifiers: Set<String> {
    get { values[PermittedTasksKey.self] }
    set { values[PermittedTasksKey.self] = newValue }
  }

  /// Whether the program may do work in the background by itself; true by default.
  ///
  /// For who installs the program, by the file beside it: where it is false, no task of ``BackgroundScheduler`` begins,
  /// and ``Application/backgroundRefreshStatus`` is `.restricted`.
  public var allowsBackgroundRefresh: Bool {
    get { values[AllowsBackgroundRefreshKey.self] }
    set { values[AllowsBackgroundRefreshKey.self] = newValue }
  }
}

private enum PermittedTasksKey: FeatureValueKey { static var initial: Set<String> { [] } }
private enum AllowsBackgroundRefreshKey: FeatureValueKey { static var initial: Bool { true } }
