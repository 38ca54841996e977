export default {
  /** Its limits are counts in Redis and daily counters. */
  table: null,
}
