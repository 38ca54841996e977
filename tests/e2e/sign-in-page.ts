import type { APIRequestContext, Page, Request, Route } from '@playwright/test'
import { demoPassword } from '../../db/seed/demo/accounts'
import { en, ru } from './words'

/** The texts of the pages in both languages, so that no test repeats them. */
export const texts = {
  ru: { ...ru, identifier: 'Логин, почта или телефон' },
  en: { ...en, identifier: 'Login, e-mail or phone' },
}
export type Language = keyof typeof texts
export const languages: Language[] = ['ru', 'en']

/** The password of the demo's people, and of those that a test makes. */
export const password = demoPassword

/** Returns an unknown identifier that is shown the password first; which flows it is shown depends on the keys. */
export async function unknownIdentifier(request: APIRequestContext, begin: string, end = ''): Promise<string> {
  const kind = end.includes('@') ? 'email' : 'login'
  for (let n = 0; n < 200; n++) {
    const identifier = `${begin}.${n}${end}`
    const answer = await request.get(`/api/v1/platform/auth/config/${kind}`, { params: { [kind]: identifier } })
    if ((await answer.json()).flows[0] === 'credentials') return identifier
  }
  throw new Error('nobody is shown the password first')
}

/** Lets `answer` handle the forms that the page sends. Returns the function that ends this. */
export async function handleForms(page: Page, answer: (route: Route) => unknown) {
  const address = /\/platform\/login/
  const handler = (route: Route) => (isForm(route.request()) ? answer(route) : route.fallback())
  await page.route(address, handler)
  return () => page.unroute(address, handler)
}

/** Whether a request sends a form of the sign-in page. */
export const isForm = (request: Request) => request.method() === 'POST' && request.url().includes('/platform/login')

/** The button that opens the choice of theme or language in the header of a public page. */
export const choiceOf = (page: Page, label: string) => page.locator(`header summary[aria-label^="${label}"]`)

/** The sign-in page as a person uses it: by its labels, in one language. */
export class SignInPage {
  readonly t: (typeof texts)[Language]
  constructor(
    readonly page: Page,
    readonly language: Language = 'ru',
  ) {
    this.t = texts[language]
  }
  async open(query = '') {
    await this.page.goto(`/platform/login${query}`)
  }
  get identifier() {
    return this.page.getByLabel(this.t.identifier, { exact: true })
  }
  get passwordField() {
    return this.page.getByLabel(this.t.entry.credentials.password, { exact: true })
  }
  /** The message that screen readers read above a step with one field, which keeps the focus. */
  alert(title: string) {
    return this.page.getByRole('alert', { name: title })
  }
  /** The error summary with this title. */
  summary(title: string) {
    return this.page.getByRole('group', { name: title })
  }
  async enterIdentifier(value: string) {
    await this.identifier.fill(value)
    await this.page.getByRole('button', { name: this.t.common.continue }).click()
  }
  async enterPassword(value = password) {
    await this.passwordField.fill(value)
    await this.page.getByRole('button', { name: this.t.common.signIn, exact: true }).click()
  }
  async signIn(identifier: string, secret = password) {
    await this.open()
    await this.enterIdentifier(identifier)
    await this.enterPassword(secret)
  }
}
