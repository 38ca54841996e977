import { RE2JS } from 're2js'

/** As much of a password as a pattern is run on. */
const longest = 256
/** Ways in which a browser may try a pattern on one password, at most: some 50 ms. */
const mostWays = longest ** 3

const quantifier = /^(?:([*+?])|\{(\d+)(?:(,)(\d*))?\})\??/
const atom = /^(?:\\[pPu]\{[^}]*\}|\\u[\da-fA-F]{4}|\\[\s\S]|\[(?:\\[\s\S]|[^\]\\])*\]|[\s\S])/u

/** How many different lengths a quantifier lets its piece have. */
function choices([, sign, from = '', comma, to]: RegExpExecArray): number {
  if (sign === '?') return 2
  if (sign) return longest
  if (!comma) return 1
  const end = to ? Number(to) : longest
  return Math.min(longest, Math.max(1, end - Number(from) + 1))
}

/**
 * In how many ways an engine that goes back may try to fit a pattern to a text from one place on: pieces multiply,
 * alternatives add up. Infinite where a group that can be fitted in several ways is repeated.
 */
function waysOf(pattern: string): number {
  // for each open group: its alternatives before this one, and this one
  const open = [{ before: 0, ways: 1 }]
  const top = () => open[open.length - 1] ?? { before: 0, ways: 1 }
  for (let at = 0; at < pattern.length; ) {
    const rest = pattern.slice(at)
    let inner = 1
    if (rest.startsWith('(')) {
      open.push({ before: 0, ways: 1 })
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
      const { before, ways } = open.pop() ?? { before: 0, ways: 1 }
      inner = before + ways
      at += 1
    } else at += atom.exec(rest)?.[0].length ?? 1
    const repeat = quantifier.exec(pattern.slice(at))
    if (repeat) {
      at += repeat[0].length
      const times = choices(repeat)
      if (inner > 1 && !(repeat[1] === '?')) return Number.POSITIVE_INFINITY
      inner = repeat[1] === '?' ? inner + 1 : inner * times
    }
    top().ways *= inner
  }
  return top().before + top().ways
}

const isRe2 = (pattern: string) => {
  try {
    RE2JS.compile(pattern)
    return true
  } catch {
    return false
  }
}

/** Alternatives at the top are bound to the beginning only if each of them is. */
const isAnchored = (pattern: string) => pattern.startsWith('^') && !pattern.includes('|')

/**
 * Whether a regular expression may be run on passwords: valid in browsers and for RE2, which has neither look-around
 * nor back references and which the server runs it by; and in browsers never slower than some 50 ms.
 */
export function isSafePattern(pattern: string): boolean {
  if (pattern === '' || pattern.length > 200) return false
  try {
    new RegExp(pattern, 'u')
  } catch {
    return false
  }
  // what begins with (? is a group without a number, or nothing that both understand
  if (/\(\?(?!:)/.test(pattern.replaceAll(/\\[\s\S]/g, '')) || !isRe2(pattern)) return false
  return waysOf(pattern) * (isAnchored(pattern) ? 1 : longest) <= mostWays
}
