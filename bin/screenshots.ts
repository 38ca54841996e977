import { mkdir, rm, writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { type Browser, type BrowserContext, chromium, type Page } from '@playwright/test'
import sharp from 'sharp'
import { demoPassword } from '@/db/seed/demo/accounts'
import { installedChromium } from '@/tests/setup/machine'

const help = `Takes the pictures of docs/screenshots from a running demo.
  npm run demo                      in one terminal
  npm run screenshots               in another
  npm run screenshots -- --url http://localhost:3001 --language en`

/** `login` is null for a signed-out browser. `prepare` brings the page into the state that the picture shows. */
type Shot = { name: string; path: string; login: string | null; prepare?: (page: Page) => Promise<unknown> }

const shots: Shot[] = [
  { name: 'sign-in', path: '/platform/login', login: null },
  { name: 'registration', path: '/platform/registration', login: null },
  {
    name: 'invitation',
    path: '/platform/dev/outbox?filter[recipient]=novikova',
    login: null,
    prepare: async (page) => {
      const mail = (await page.getByRole('main').textContent()) ?? ''
      const link = /\/platform\/invitation\/[0-9a-f-]{36}/.exec(mail)?.[0]
      if (!link) throw new Error('the demo has no mail with an invitation')
      await page.goto(link)
    },
  },
  { name: 'help', path: '/platform/help', login: null },
  { name: 'services', path: '/platform/apps', login: 'services' },
  { name: 'profile', path: '/platform/profile', login: 'empty-fields' },
  { name: 'overview', path: '/platform/setting', login: 'admin' },
  { name: 'list', path: '/platform/setting/network-aliases', login: 'admin' },
  { name: 'sessions', path: '/platform/profile/sessions', login: 'services' },
  {
    name: 'search',
    path: '/platform/setting',
    login: 'admin',
    prepare: async (page) => {
      await page.keyboard.press('Control+k')
      await page.getByRole('combobox').waitFor()
    },
  },
]
const sizes = {
  desktop: { viewport: { width: 1280, height: 800 } },
  phone: { viewport: { width: 390, height: 780 }, hasTouch: true, isMobile: true },
}
const themes = ['light', 'dark'] as const
const folder = 'docs/screenshots'

const { values } = parseArgs({
  options: {
    url: { type: 'string', default: 'http://localhost:3000' },
    language: { type: 'string', default: 'ru' },
    help: { type: 'boolean' },
  },
})

/** Signs in by REST calls, so that no form has to be filled in. */
async function signIn(context: BrowserContext, login: string) {
  const { request } = context
  const headers = { origin: values.url }
  const config = await request.get(`/api/v1/platform/auth/config/login?login=${login}`)
  const answer = await request.post('/api/v1/platform/auth/login/login', {
    headers,
    data: { flow: 'credentials', login, password: demoPassword },
  })
  if (!config.ok() || !answer.ok()) throw new Error(`${login} can't sign in: ${answer.status()}; is this the demo?`)
}

async function take(browser: Browser, shot: Shot, size: keyof typeof sizes, theme: (typeof themes)[number]) {
  const context = await browser.newContext({
    ...sizes[size],
    baseURL: values.url,
    colorScheme: theme,
    reducedMotion: 'reduce',
    serviceWorkers: 'block',
  })
  await context.addCookies([
    { name: 'locale', value: values.language, url: values.url },
    { name: 'cookieConsent', value: '1', url: values.url },
  ])
  if (shot.login) await signIn(context, shot.login)
  const page = await context.newPage()
  await page.goto(shot.path)
  await shot.prepare?.(page)
  await page.evaluate(() => document.fonts.ready)
  const picture = await page.screenshot({ animations: 'disabled' })
  await context.close()
  // few colors: a palette makes the file three to five times smaller, and the difference isn't visible
  const content = await sharp(picture).png({ palette: true, effort: 10, dither: 0 }).toBuffer()
  return { name: `${shot.name}-${size}-${theme}.png`, content }
}

async function main() {
  if (values.help) return console.log(help)
  await fetch(new URL('/health/live', values.url)).catch(() => {
    throw new Error(`nothing answers at ${values.url}\n\n${help}`)
  })
  const taken: Awaited<ReturnType<typeof take>>[] = []
  const browser = await chromium.launch({
    executablePath: installedChromium(),
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update'],
  })
  try {
    for (const shot of shots)
      for (const size of ['desktop', 'phone'] as const)
        for (const theme of themes) taken.push(await take(browser, shot, size, theme))
  } finally {
    await browser.close()
  }
  // the pictures of before stay until all are taken
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  for (const { name, content } of taken) await writeFile(`${folder}/${name}`, content)
  console.log(`${taken.length} pictures in ${folder}`)
}

main().catch((error: Error) => {
  console.error(error.message)
  process.exitCode = 1
})
