import { randomUUID } from 'node:crypto'
import { expect, type Locator, type Page } from '@playwright/test'
import type { Language } from './sign-in-page'
import { en, ru } from './words'

const words = {
  ru: { ...ru, fio: 'ФИО', name: 'Ковалёва Ольга Игоревна' },
  en: { ...en, fio: 'Full name', name: 'Olga Kovaleva' },
}

/** Returns an unused e-mail. */
export const newEmail = () => `e2e.${randomUUID().slice(0, 12)}@polaris.example`
/** Returns an unused mobile, without its calling code. */
export const newNumber = () => `912${String(Math.floor(Math.random() * 10_000_000)).padStart(7, '0')}`

/** Both steps of a registration as a person uses them: by labels, in one language. */
export class RegistrationPage {
  readonly t: (typeof words)[Language]
  constructor(
    readonly page: Page,
    language: Language = 'ru',
  ) {
    this.t = words[language]
  }
  /** Returns the same page in another tab. */
  in(page: Page) {
    return new RegistrationPage(page, this.t === words.ru ? 'ru' : 'en')
  }
  get heading() {
    return this.page.getByRole('heading', { level: 1 })
  }
  get fio() {
    return this.page.getByLabel(this.t.fio, { exact: true })
  }
  get email() {
    return this.page.getByLabel(this.t.person.email, { exact: true })
  }
  get password() {
    return this.page.getByLabel(this.t.entry.password.password, { exact: true })
  }
  get repeat() {
    return this.page.getByLabel(this.t.entry.password.repeat, { exact: true })
  }
  get mobile() {
    return this.page.getByRole('textbox', { name: this.t.person.mobile })
  }
  get code() {
    return this.page.getByLabel(this.t.entry.code.label, { exact: true })
  }
  button(name: string): Locator {
    return this.page.getByRole('button', { name, exact: true })
  }
  /** The error summary with this title. */
  summary(title: string) {
    return this.page.getByRole('group', { name: title })
  }
  async open(host = '') {
    await this.page.goto(`${host}/platform/registration`)
  }
  /** Goes on without a mobile. */
  async skipMobile() {
    await expect(this.heading).toHaveText(this.t.registration.finish.mobile.title)
    await this.page.getByRole('link', { name: this.t.person.skipMobile }).click()
    await expect(this.heading).toHaveText(this.t.registration.finish.title)
  }
  /** Asks for a registration, opens the link of the mail, and goes on without a mobile. */
  async arrive(outbox: (to: string) => Promise<{ text: string }>, email = newEmail()) {
    await this.open()
    await this.ask(email)
    await expect(this.heading).toHaveText(this.t.registration.sent.title)
    const path = pathIn((await outbox(email)).text)
    await this.page.goto(path)
    await this.skipMobile()
    return { email, path }
  }
  async ask(email: string, name = this.t.name) {
    await this.fio.fill(name)
    await this.email.fill(email)
    await this.button(this.t.registration.submit).click()
  }
  /** Fills the field that the demo's administrators require besides. */
  async fillFurther() {
    await this.page.locator('[name="additionalInfo.position"]').fill('Инженер')
  }
  /** Fills what is asked besides, and both password fields by Generate. */
  async generate() {
    await this.fillFurther()
    await this.button(this.t.entry.password.generate).click()
    return this.password.inputValue()
  }
  finish() {
    return this.button(this.t.registration.finish.submit).click()
  }
}

/** Returns the link in a registration's mail, as a path. */
export function pathIn(text: string): string {
  const path = /\/platform\/registration\/[0-9a-f-]{36}/.exec(text)?.[0]
  if (!path) throw new Error(`no registration link in: ${text}`)
  return path
}
