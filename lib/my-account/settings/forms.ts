import { CallError } from '@/lib/base/http/client'
import { cookieLifetime } from '@/lib/base/http/cookie-lifetime'
import type { PageForm, PageForms, PostedForm } from '@/lib/base/http/page-form'
import { ownPage } from '@/lib/base/navigation/after-sign-in'
import { AppError } from '@/lib/base/runtime/errors'
import { log } from '@/lib/base/runtime/log'
import { patchUserSettings } from './contract'

/** Seconds for which a choice waits for the sign-in that copies it to the account. */
const beforeSignIn = 3_600
const themes = ['light', 'dark', 'system']

/** The cookies of choices are read by scripts too. */
const setChoice = ({ ctx }: PostedForm, name: string, value: string, maxAge = cookieLifetime) =>
  ctx.cookies.set(name, value, { maxAge, httpOnly: false })

const sentFrom = (fields: URLSearchParams) => ownPage(fields.get('back')) ?? '/'

/** Stores a choice in the account of a signed-in person. A failure is only logged: the browser has the choice. */
async function storeSetting({ ctx, call }: PostedForm, settings: { lang: string } | { cookie: true }) {
  if (!ctx.user) return
  await call(patchUserSettings, { body: { settings } }).catch((error) => {
    if (!(error instanceof CallError)) throw error
    log.warn({ code: error.code, requestId: ctx.requestId }, 'a choice is stored in the browser only')
  })
}

/** Chooses the theme or the language of this browser. */
const choose: PageForm = {
  keeps: [],
  async send(form) {
    const { ctx, fields } = form
    const theme = fields.get('theme')
    const locale = fields.get('locale')
    if (theme !== null && themes.includes(theme)) setChoice(form, 'theme', theme)
    else if (locale !== null && ctx.domain.locales.includes(locale)) {
      setChoice(form, 'locale', locale)
      if (!ctx.user) setChoice(form, 'chosenLocale', locale, beforeSignIn)
      await storeSetting(form, { lang: locale })
    } else throw new AppError(400)
    return sentFrom(fields)
  },
}

/** Agrees to cookies in this browser, and in all browsers of a person who is signed in. */
const consent: PageForm = {
  keeps: [],
  async send(form) {
    setChoice(form, 'cookieConsent', '1')
    await storeSetting(form, { cookie: true })
    return sentFrom(form.fields)
  },
}

/** The forms that every public page has, at an address of their own. */
export const choiceForms: PageForms = {
  path: '/platform/choices',
  forms: { choose, consent },
  sentFrom,
  harmless: true,
}
