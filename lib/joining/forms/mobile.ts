import { FailedAt, type PageForm, type PostedForm } from '@/lib/base/http/page-form'
import { AppError, fieldError } from '@/lib/base/runtime/errors'
import { mobileFrom } from '@/lib/base/text/mobile'
import type { CodeState } from '@/lib/sign-in/codes/redis-code'
import { unlessDead } from '@/lib/sign-in/forms/faults'

/** The steps of a link's page: the number, the code that proves it, and everything else of the person. */
export type PersonStep = 'mobile' | 'code' | 'person'

/** What a link knows of a mobile: the proven one, and another one to which a code was sent. */
export type LinkMobile = { proven: string | null; asked: { mobile: string; code: CodeState | null } | null }

/**
 * Returns the step that the page shows: the one that its address names, if it can be shown; else the first one that
 * isn't done. A proven mobile is asked for again only by name.
 */
export function shownStep(
  named: unknown,
  field: { required: boolean } | null,
  { proven, asked }: LinkMobile,
): PersonStep {
  if (!field) return 'person'
  if (named === 'mobile' || (named === 'code' && asked)) return named
  if (named === 'person' && (proven || !field.required)) return named
  if (asked?.code?.endTime) return 'code'
  return proven ? 'person' : 'mobile'
}

type Steps = {
  /** Returns the address of a step of the page. */
  addressOf: (params: Record<string, string>, step: PersonStep) => string
  /** Requests a code for a mobile. */
  ask: (form: PostedForm, mobile: string) => Promise<CodeState>
  /** Enters the code. */
  prove: (form: PostedForm, mobile: string, code: string) => Promise<unknown>
  /** Returns the address of the page, which says why a link is dead. */
  page: (params: Record<string, string>) => string
}

/** Returns the forms of the steps that prove a mobile. */
export function mobileForms({ addressOf, ask, prove, page }: Steps): Record<'mobile' | 'code', PageForm> {
  return {
    /** Sends a code to a typed number, or another one to the number of the step with the code. */
    mobile: {
      keeps: ['country', 'mobile'],
      async send(form) {
        const { fields, params } = form
        const before = fields.get('before')
        const step = fields.has('country') ? 'mobile' : 'code'
        try {
          const typed = (fields.get('mobile') ?? '').trim()
          if (!typed) throw fieldError('mobile', 'errorEmpty')
          // as much as the call takes
          const mobile = typed.length <= 32 && mobileFrom(typed, fields.get('country') ?? undefined)
          if (!mobile) throw fieldError('mobile', 'errorMobile')
          const code = await unlessDead(() => ask(form, mobile))
          if (!code) return page(params)
          const { endTime, resendIn } = code
          // a code was just sent to this number for something else
          if (!endTime) throw new AppError(429, 'codeElsewhere', {}, resendIn)
          const to = addressOf(params, 'code')
          return before !== null && before !== endTime ? { to, tells: { again: true } } : to
        } catch (error) {
          throw new FailedAt(addressOf(params, step), error)
        }
      },
    },
    code: {
      keeps: ['mobile'],
      async send(form) {
        const { fields, params } = form
        try {
          const digits = (fields.get('code') ?? '').replace(/\D/g, '')
          if (!digits) throw fieldError('code', 'errorEmpty')
          const proven = await unlessDead(() => prove(form, fields.get('mobile') ?? '', digits))
          return proven ? addressOf(params, 'person') : page(params)
        } catch (error) {
          throw new FailedAt(addressOf(params, 'code'), error)
        }
      },
    },
  }
}
