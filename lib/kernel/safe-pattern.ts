const quantifier = /^(?:[*+?]|\{\d+(?:,\d*)?\})\??/

/**
 * Whether a regular expression can be run on a password without hanging: valid, without look-around and back
 * references (as in RE2), no repeated group that repeats or branches inside, at most three open repeats.
 */
export function isSafePattern(pattern: string): boolean {
  if (pattern === '' || pattern.length > 200) return false
  try {
    new RegExp(pattern, 'u')
  } catch {
    return false
  }
  if (/\(\?(?!:)/.test(pattern) || /\\[1-9k]/.test(pattern.replaceAll('\\\\', ''))) return false
  return repeatsSafely(pattern)
}

function repeatsSafely(pattern: string): boolean {
  // for each open group: whether it repeats or branches inside
  const groups: boolean[] = [false]
  let openRepeats = 0
  let closed = false
  for (let at = 0; at < pattern.length; ) {
    const rest = pattern.slice(at)
    const repeat = quantifier.exec(rest)?.[0]
    if (repeat) {
      if (closed) return false
      if (/^[*+]|,\}/.test(repeat)) openRepeats += 1
      groups[groups.length - 1] = true
      at += repeat.length
      continue
    }
    closed = false
    if (rest.startsWith('(')) groups.push(false)
    else if (rest.startsWith('|')) groups[groups.length - 1] = true
    else if (rest.startsWith(')')) {
      closed = groups.pop() ?? false
      // what a group holds, the group around it holds too
      if (closed) groups[groups.length - 1] = true
    }
    at += /^(?:\(\?:|\\[pPu]\{[^}]*\}|\\[\s\S]|\[(?:\\[\s\S]|[^\]\\])*\])/.exec(rest)?.[0].length ?? 1
  }
  return openRepeats <= 3
}
