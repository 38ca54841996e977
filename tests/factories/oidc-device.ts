import type { Browser } from './browser'
import { decoded, formAction, type startProvider, submit, visit } from './oidc'

export const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code'

type Running = Awaited<ReturnType<typeof startProvider>>

/** Returns the hidden fields of a page. */
export const hidden = (body: string) =>
  Object.fromEntries(
    [...body.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)"/g)].map(([, name = '', value = '']) => [
      name,
      decoded(value),
    ]),
  )

/** The actions of a person on the pages for devices. */
export function devicePages(running: Running) {
  /** Fills in the form of a page, including the value of the pressed button. */
  const send = async (browser: Browser, body: string, fields: Record<string, string>) => {
    const answer = await submit(running, browser, formAction(body), { ...hidden(body), ...fields })
    const location = answer.headers.get('location')
    return { status: answer.status, location, body: await answer.text(), headers: answer.headers }
  }

  const openForm = async (browser: Browser) => (await visit(running, browser, '/oidc/device')).text()
  const enter = async (browser: Browser, code: string) => send(browser, await openForm(browser), { user_code: code })

  /** Approves a code as a signed-in person. Returns the last page. */
  async function approve(browser: Browser, code: string) {
    const asked = await enter(browser, code)
    return send(browser, asked.body, { confirm: 'yes' })
  }
  return { send, openForm, enter, approve }
}
