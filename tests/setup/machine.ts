import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

export const inCi = /^(1|true)$/.test(process.env.CI ?? '')

/** Prints what this machine lacks for a part of the tests. In CI no part may be skipped, so there it throws. */
export function failOnSkip(missing: string, consequence: string) {
  const message = `${missing} is missing: ${consequence}`
  if (inCi) throw new Error(message)
  console.warn(message)
}

const browsers = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']

/** Returns the machine's Chromium; undefined if only Playwright's own can be used. */
export const installedChromium = () => browsers.map((name) => `/usr/bin/${name}`).find(existsSync)

/** Installs what is missing if that needs no question: as root on Debian. */
export function installPackages(names: string[]) {
  if (process.getuid?.() !== 0 || !existsSync('/etc/debian_version')) return
  console.log(`Installing ${names.join(', ')} …`)
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  spawnSync('apt-get', ['update', '-qq'], { env, stdio: 'ignore' })
  spawnSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...names], { env, stdio: 'ignore' })
}
