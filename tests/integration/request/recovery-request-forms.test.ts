import { describe, expect, test } from 'vitest'
import { readCookies } from '@/lib/request/cookies'
import { readOutcome } from '@/lib/request/forms/outcome'
import { thirty } from '../../factories/at-once'
import { Browser } from '../../factories/browser'
import { openPage, post } from '../../factories/page-forms'
import { caseNumbers, eachRound } from '../../factories/random-cases'
import { createProvider, mailsTo, passResend } from '../../factories/recovery'
import { createUser } from '../../factories/users'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()

const forgot = '/platform/forgot-password'
const sentPage = `${forgot}?step=sent`
/** What the page that follows says was sent. */
function sentTo({ cookie }: Browser) {
  const outcome = readOutcome({ get: readCookies(cookie) }, sentPage)
  if (outcome?.status !== 200) return null
  const { email, ...others } = Object.fromEntries(outcome.values)
  return { email, again: outcome.data.again, resendAt: Number(outcome.data.resendAt), others }
}

describe('asking for a link', () => {
  const ask = (browser: Browser, email: string, more: Record<string, string> = {}, address = forgot) =>
    post(browser, address, { form: 'ask', email, ...more })

  test('sends it, and the page that follows says so in words that name no e-mail in the address', async () => {
    const [browser, user] = [new Browser(), await createUser()]
    await passResend()
    const answer = await ask(browser, ` ${user.email} `)
    expect(answer).toMatchObject({ status: 303, to: sentPage })
    const sent = sentTo(browser)
    expect(sent).toMatchObject({ email: ` ${user.email} `, again: false, others: {} })
    expect(sent?.resendAt).toBeGreaterThan(Date.now())
    expect(browser.cookie).not.toContain(user.email.split('@')[0])
    expect(await mailsTo(user.id, 'recoveryLink')).toHaveLength(1)
  })

  test('an e-mail without an account gets the same answer', async () => {
    await passResend()
    const [a, b] = [new Browser(), new Browser()]
    const user = await createUser()
    const answers = [await ask(a, 'nobody@nowhere.example'), await ask(b, user.email)]
    const [unknown, registered] = answers.map(({ outcome, ...answer }) => {
      const { resendAt, ...told } = outcome?.data ?? {}
      return { ...answer, ...outcome, ends: 'in an hour', data: told, values: outcome?.values.map(([name]) => name) }
    })
    expect(unknown).toEqual(registered)
    expect([...a.cookies.keys()].toSorted()).toEqual([...b.cookies.keys()].toSorted())
  })

  test('within the resend time nothing is sent and nothing is claimed, later it is', async () => {
    const [browser, user] = [new Browser(), await createUser()]
    await passResend()
    const { to } = await ask(browser, user.email)
    const before = String(sentTo(browser)?.resendAt)
    expect((await ask(browser, user.email, { before }, to)).to).toBe(sentPage)
    expect(sentTo(browser)?.again).toBe(false)
    expect(await mailsTo(user.id, 'recoveryLink')).toHaveLength(1)
    await passResend()
    const later = await ask(browser, user.email, { before: String(Number(before) - 60_000) }, to)
    expect(later.to).toBe(sentPage)
    expect(sentTo(browser)?.again).toBe(true)
    expect(await mailsTo(user.id, 'recoveryLink')).toHaveLength(2)
  })

  test('an empty field, no e-mail, 4 KB, a directory’s domain and the daily limit are told on the page, with what was typed', async () => {
    const browser = new Browser()
    const faults = async (email: string) => (await ask(browser, email)).outcome
    expect(await faults('')).toMatchObject({ data: { errorList: [{ field: 'email', code: 'errorEmpty' }] } })
    expect(await faults('x y')).toMatchObject({ status: 400, values: [['email', 'x y']] })
    const long = `${'x'.repeat(4_096)}@x.example`
    expect(await faults(long)).toMatchObject({ status: 400, values: [['email', long]] })
    const claimed = 'claimed-by-a-directory.example'
    await createProvider({ name: claimed, emailDomains: [claimed] })
    expect(await faults(`anybody@${claimed}`)).toMatchObject({ status: 405, code: 'directoryAccount' })
    expect(sentTo(browser)).toBeNull()
    const limited = 'limited@nowhere.example'
    for (let n = 0; n < 5; n++) {
      await passResend()
      expect((await ask(browser, limited)).outcome).toMatchObject({ status: 200 })
    }
    await passResend()
    const refused = await ask(browser, limited, { before: '0' }, sentPage)
    const values = [
      ['email', limited],
      ['before', '0'],
    ]
    expect(refused).toMatchObject({ to: sentPage, outcome: { code: 'recoveryDailyLimit', values } })
    expect(refused.outcome?.until).toBeGreaterThan(Date.now() + 3_600_000)
  })

  test('two tabs: each asks again for the e-mail that it shows', async () => {
    const [browser, one, two] = [new Browser(), await createUser(), await createUser()]
    await passResend()
    await ask(browser, one.email)
    await ask(browser, two.email)
    await passResend()
    await ask(browser, one.email, { before: '0' })
    expect(sentTo(browser)?.email).toBe(one.email)
    expect(await mailsTo(one.id, 'recoveryLink')).toHaveLength(2)
    expect(await mailsTo(two.id, 'recoveryLink')).toHaveLength(1)
  })

  test('another e-mail: the form has the one before, in no address', async () => {
    const back = await post(new Browser(), sentPage, { form: 'change', email: 'a@nowhere.example' })
    expect(back).toMatchObject({
      to: forgot,
      outcome: { status: 200, data: {}, values: [['email', 'a@nowhere.example']] },
    })
  })

  test('thirty clicks ask once', async () => {
    const [browser, user] = [new Browser(), await createUser()]
    await passResend()
    const token = openPage(browser)
    const answers = await thirty(() => post(browser, forgot, { form: 'ask', email: user.email }, { token }))
    expect(new Set(answers.map(({ to }) => to))).toEqual(new Set([sentPage]))
    expect(await mailsTo(user.id, 'recoveryLink')).toHaveLength(1)
  })

  test('a cookie that somebody wrote or changed says nothing', async () => {
    const browser = new Browser()
    await passResend()
    await ask(browser, 'somebody@nowhere.example')
    const [name = '', text = ''] = [...browser.cookies].find(([each]) => each.endsWith('outcome0')) ?? []
    const random = caseNumbers(114)
    for (const _ of eachRound(40)) {
      const at = random(text.length)
      const changed = new Browser()
      for (const [each, value] of browser.cookies) changed.cookies.set(each, value)
      changed.cookies.set(name, `${text.slice(0, at)}${text[at] === 'A' ? 'B' : 'A'}${text.slice(at + 1)}`)
      const read = sentTo(changed)
      // bits at the end of Base64 mean nothing
      if (read) expect(read.email).toBe('somebody@nowhere.example')
    }
    browser.cookies.set(
      name,
      encodeURIComponent(JSON.stringify({ form: 'ask', status: 200, code: '', data: {}, values: [['email', 'x']] })),
    )
    expect(sentTo(browser)).toBeNull()
  })
})
