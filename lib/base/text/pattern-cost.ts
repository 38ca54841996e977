/** The longest part of a password that a pattern is run on. */
const longest = 256
/** The most ways in which a browser may try a pattern on one password: about 50 ms. */
const mostWays = longest ** 3
/** The most places of a pattern in which RE2 is at once: on 10,000 characters about 100 ms. */
const mostPlaces = 500

const quantifier = /^(?:([*+?])|\{(\d+)(?:(,)(\d*))?\})\??/
const atom = /^(?:\\[pPu]\{[^}]*\}|\\u[\da-fA-F]{4}|\\[\s\S]|\[(?:\\[\s\S]|[^\]\\])*\]|[\s\S])/u

/** Returns how many different lengths a quantifier allows. */
function choices([, sign, from = '', comma, to]: RegExpExecArray): number {
  if (sign === '?') return 2
  if (sign) return longest
  if (!comma) return 1
  const end = to ? Number(to) : longest
  return Math.min(longest, Math.max(1, end - Number(from) + 1))
}

/**
 * Returns in how many ways a backtracking engine may try to match a pattern from one position: pieces multiply,
 * alternatives add up; Infinity where a repeated group can match in several ways. And how many places it has for RE2: a
 * piece that is repeated so many times counts as often.
 */
function costOf(pattern: string): { ways: number; places: number } {
  // for each open group: the ways of its earlier alternatives, and of the current one
  const open = [{ before: 0, ways: 1, places: 0 }]
  const top = () => open[open.length - 1] ?? { before: 0, ways: 1, places: 0 }
  let endless = false
  for (let at = 0; at < pattern.length; ) {
    const rest = pattern.slice(at)
    let inner = 1
    let places = 1
    if (rest.startsWith('(')) {
      open.push({ before: 0, ways: 1, places: 0 })
      at += rest.startsWith('(?:') ? 3 : 1
      continue
    }
    if (rest.startsWith('|')) {
      top().before += top().ways
      top().ways = 1
      at += 1
      continue
    }
    if (rest.startsWith(')')) {
      const { before, ways, places: within } = open.pop() ?? { before: 0, ways: 1, places: 0 }
      inner = before + ways
      places = within
      at += 1
    } else at += atom.exec(rest)?.[0].length ?? 1
    const repeat = quantifier.exec(pattern.slice(at))
    if (repeat) {
      at += repeat[0].length
      const times = choices(repeat)
      if (inner > 1 && !(repeat[1] === '?')) endless = true
      places *= Math.max(1, Number(repeat[4] || repeat[2] || 1))
      inner = repeat[1] === '?' ? inner + 1 : inner * times
    }
    top().ways *= inner
    top().places += places
  }
  return { ways: endless ? Number.POSITIVE_INFINITY : top().before + top().ways, places: top().places }
}

/**
 * Returns whether a pattern can only match at the beginning. One with alternatives does not count: each of them would
 * need its own `^`.
 */
const isAnchored = (pattern: string) => pattern.startsWith('^') && !pattern.includes('|')

/**
 * Returns whether a regular expression has only what browsers and RE2, which the server uses, both understand, and browsers
 * run it on any password within 50 ms.
 */
export function isRunnable(pattern: string): boolean {
  if (pattern === '' || pattern.length > 200) return false
  try {
    new RegExp(pattern, 'u')
  } catch {
    return false
  }
  // of the groups that begin with (? only (?: is understood by both
  if (/\(\?(?!:)/.test(pattern.replaceAll(/\\[\s\S]/g, ''))) return false
  return costOf(pattern).ways * (isAnchored(pattern) ? 1 : longest) <= mostWays
}

/**
 * Returns whether a regular expression is cheap: browsers can run it, and RE2 on the longest text within 100 ms. Browsers
 * ask this before they try a pattern; the server also asks RE2 itself.
 */
export const isCheapPattern = (pattern: string): boolean => isRunnable(pattern) && costOf(pattern).places <= mostPlaces
