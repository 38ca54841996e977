import { RE2JS } from 're2js'
import { isCheapPattern, isRunnable } from './pattern-cost'

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
 * uses and which has no look-around or back references; and it takes browsers 50 ms at most.
 */
export const isSafePattern = (pattern: string): boolean => isCheapPattern(pattern) && isRe2(pattern)

/** The same for what is stored already: earlier versions let patterns have more places, and these stay in force. */
export const isStoredPattern = (pattern: string): boolean => isRunnable(pattern) && isRe2(pattern)

const compiled = new Map<string, RE2JS>()

/** Returns whether a text, such as a password, contains a pattern, in a time that is linear in the text's length. */
export function findsPattern(pattern: string, text: string): boolean {
  let expression = compiled.get(pattern)
  if (!expression) {
    if (compiled.size >= 100) compiled.clear()
    expression = RE2JS.compile(pattern)
    compiled.set(pattern, expression)
  }
  return expression.matcher(text).find()
}
