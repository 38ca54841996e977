import { closeDatabase } from '@/db/client'
import { ownPerson } from './own-people'
import { restClient } from './rest-client'
import { spokenIn } from './spoken'
import { expect, test } from './turn'

const { language, words } = spokenIn(import.meta.filename)
const { credentials, remember } = words.entry
test.afterAll(closeDatabase)

/** The sign-in page as a browser shows it before any script has run: parts that come later are hidden until then. */
async function signInPage(browser: ReturnType<typeof restClient>, headers: Record<string, string> = {}) {
  const answer = await browser.page('/platform/login', { 'accept-language': language, ...headers })
  expect(answer.status).toBe(200)
  const html = (await answer.text()).replace(/<(script|template)[\s\S]*?<\/\1>/g, '')
  return html.replace(/<div hidden="" id="S:[\s\S]*/, '')
}

test('before scripts run, the step that the server knows is in the page', async () => {
  const { login } = await ownPerson('employee')
  const browser = restClient(process.env.PUBLIC_URL ?? '')
  expect(await signInPage(browser)).not.toMatch(/<input[^>]* type="password"/)
  await browser.send('GET', `/auth/config/login?login=${login}`)
  const html = await signInPage(browser)
  expect(html).toContain(`>${credentials.password}</label>`)
  expect(html).toMatch(/<input[^>]* type="password"/)
})

test('before scripts run, the remembered account is in the page', async () => {
  const { login } = await ownPerson('employee')
  const html = await signInPage(restClient(process.env.PUBLIC_URL ?? ''), { cookie: `account=${login}` })
  expect(html).toContain(remember.continue.replace('{account}', login))
})
