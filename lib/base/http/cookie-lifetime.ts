/** Seconds of 400 days, the longest that browsers keep a cookie (docs/rules/sessions.md#cookies). */
export const cookieLifetime = 34_560_000
