import { describe, expect, test } from 'vitest'
import { isOlder, statusOf, versionIn } from '@/lib/operations/diagnostics/versions'

describe('versions', () => {
  test.each([
    ['1.9.9', '1.10', true],
    ['1.10', '1.9.9', false],
    ['24.1.0', '24', false],
    ['v2.0.0', '2.0.1', true],
    ['16.4 (Debian)', '16', false],
    ['15.8', '16', true],
    ['1.0.0-rc.1', '1.0.0', true],
    ['1.0.0', '1.0.0-rc.1', false],
    ['1.0.1-rc.1', '1.0', false],
    ['2026.11', '2026.11', false],
  ])('%s is older than %s: %s', (version, than, older) => {
    expect(isOlder(version, than)).toBe(older)
  })

  test('the status follows from both', () => {
    expect(statusOf(null, '1.0')).toBe('unknown')
    expect(statusOf('1.0', '1.0')).toBe('current')
    expect(statusOf('0.9', '1.0')).toBe('outdated')
    expect(statusOf('1.0', null)).toBe('uncompared')
    // from before a look that failed
    expect(statusOf('1.0', '1.0', 'timeout')).toBe('unknown')
    expect(statusOf('0.9', '1.0', 'timeout')).toBe('outdated')
  })

  test('are found in the answers of applications, and nothing else is', () => {
    expect(versionIn('{"version":"1.2.3"}')).toBe('1.2.3')
    expect(versionIn('{"build":{"version":"1.2.3-SNAPSHOT"}}')).toBe('1.2.3-SNAPSHOT')
    expect(versionIn('{"app":{"version":"7"}}')).toBe('7')
    expect(versionIn('1.4.0\n')).toBe('1.4.0')
    for (const other of [
      '<html>1.0</html>',
      '{"version":"<script>alert(1)</script>"}',
      '{"version":7}',
      'null',
      '[]',
      `{"version":"1${'0'.repeat(80)}"}`,
      '',
    ])
      expect(versionIn(other)).toBeNull()
  })
})
