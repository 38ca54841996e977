export default {
  /** Rows of it are counters. */
  table: null,
}
