/** The longest part of a password on which a pattern is run. */
const maxTextLength = 256
/** The most ways in which a browser may try a pattern on one password: about 50 ms. */
const maxWays = maxTextLength ** 3
/** The most states of a pattern in RE2: on 10,000 characters these take about 100 ms. */
const maxPlaces = 500

const quantifier = /^(?:([*+?])|\{(\d+)(?:(,)(\d*))?\})\??/
const atom = /^(?:\\[pPu]\{[^}]*\}|\\u[\da-fA-F]{4}|\\[\s\S]|\[(?:\\[\s\S]|[^\]\\])*\]|[\s\S])/u

/** Returns how many different lengths a quantifier allows. */
function lengthCount([, sign, min = '', comma, max]: RegExpExecArray): number {
  if (sign === '?') return 2
  if (sign) return maxTextLength
  if (!comma) return 1
  const end = max ? Number(max) : maxTextLength
  return Math.min(maxTextLength, Math.max(1, end - Number(min) + 1))
}

/**
 * Returns the cost of a pattern. `ways`: in how many ways a backtracking engine may try to match it from one position:
 * pieces multiply, alternatives add up; Infinity if a repeated group can match in several ways. `places`: its number of
 * states in RE2, where a piece that is repeated n times counts n times.
 */
function costOf(pattern: string): { ways: number; places: number } {
  // for each open group: the ways of its earlier alternatives and of the current one, and its places
  const groups = [{ before: 0, ways: 1, places: 0 }]
  const innermost = () => groups[groups.length - 1] ?? { before: 0, ways: 1, places: 0 }
  let endless = false
  for (let position = 0; position < pattern.length; ) {
    const remaining = pattern.slice(position)
    let pieceWays = 1
    let places = 1
    if (remaining.startsWith('(')) {
      groups.push({ before: 0, ways: 1, places: 0 })
      position += remaining.startsWith('(?:') ? 3 : 1
      continue
    }
    if (remaining.startsWith('|')) {
      innermost().before += innermost().ways
      innermost().ways = 1
      position += 1
      continue
    }
    if (remaining.startsWith(')')) {
      const { before, ways, places: groupPlaces } = groups.pop() ?? { before: 0, ways: 1, places: 0 }
      pieceWays = before + ways
      places = groupPlaces
      position += 1
    } else position += atom.exec(remaining)?.[0].length ?? 1
    const repeat = quantifier.exec(pattern.slice(position))
    if (repeat) {
      position += repeat[0].length
      const times = lengthCount(repeat)
      if (pieceWays > 1 && !(repeat[1] === '?')) endless = true
      places *= Math.max(1, Number(repeat[4] || repeat[2] || 1))
      pieceWays = repeat[1] === '?' ? pieceWays + 1 : pieceWays * times
    }
    innermost().ways *= pieceWays
    innermost().places += places
  }
  return {
    ways: endless ? Number.POSITIVE_INFINITY : innermost().before + innermost().ways,
    places: innermost().places,
  }
}

/**
 * Returns whether a pattern can only match at the beginning. One with alternatives does not count: each of them would
 * need its own `^`.
 */
const isAnchored = (pattern: string) => pattern.startsWith('^') && !pattern.includes('|')

/**
 * Returns whether browsers and RE2, which the server uses, both understand a regular expression, and browsers run it on
 * any password within 50 ms.
 */
export function isRunnablePattern(pattern: string): boolean {
  if (pattern === '' || pattern.length > 200) return false
  try {
    new RegExp(pattern, 'u')
  } catch {
    return false
  }
  // of the groups that begin with (? both engines understand only (?:
  if (/\(\?(?!:)/.test(pattern.replaceAll(/\\[\s\S]/g, ''))) return false
  return costOf(pattern).ways * (isAnchored(pattern) ? 1 : maxTextLength) <= maxWays
}

/**
 * Returns whether a regular expression is cheap: browsers can run it, and RE2 runs it on the longest text within 100
 * ms. Browsers check this before they try a pattern; the server also compiles the pattern with RE2.
 */
export const isCheapPattern = (pattern: string): boolean =>
  isRunnablePattern(pattern) && costOf(pattern).places <= maxPlaces
