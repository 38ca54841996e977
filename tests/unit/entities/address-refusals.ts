export default {
  /** Its rows are counters. */
  table: null,
}
