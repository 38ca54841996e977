import { RE2JS } from 're2js'
import { isCheapPattern, isRunnablePattern } from './pattern-cost'

const isRe2 = (pattern: string) => {
  try {
    RE2JS.compile(pattern)
    return true
  } catch {
    return false
  }
}

/**
 * Returns whether a regular expression may be run on passwords: it is valid in browsers and in RE2, which the server
 * uses and which has no look-around and back references, and browsers need 50 ms at most for it.
 */
export const isSafePattern = (pattern: string): boolean => isCheapPattern(pattern) && isRe2(pattern)

/** The same for a stored pattern: earlier versions allowed more places, and such patterns stay in force. */
export const isStoredPattern = (pattern: string): boolean => isRunnablePattern(pattern) && isRe2(pattern)

const compiledPatterns = new Map<string, RE2JS>()

/** Returns whether a text, such as a password, contains a pattern, in a time that is linear in the text's length. */
export function findsPattern(pattern: string, text: string): boolean {
  let expression = compiledPatterns.get(pattern)
  if (!expression) {
    if (compiledPatterns.size >= 100) compiledPatterns.clear()
    expression = RE2JS.compile(pattern)
    compiledPatterns.set(pattern, expression)
  }
  return expression.matcher(text).find()
}
