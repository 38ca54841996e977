import { getTranslations } from 'next-intl/server'
import type { ComponentProps } from 'react'
import { wordsOf } from '@/lib/base/i18n/words'
import { generationOf, type PasswordRules, passwordMarks, patternOf } from '@/lib/sign-in/passwords/rules'
import { focused } from '../form/focused'
import { buttonClasses } from '../ui/button-classes'
import { Check, Circle } from '../ui/icons'
import { PasswordInput } from './password-input'

/** The ids of the two fields, by their names. */
export const passwordIds = { password: 'new-password', repeatPassword: 'new-password-repeat' }
const marksId = 'new-password-rules'

type Props = {
  rules: PasswordRules
  /** The codes of the faulty fields. */
  errors: Record<string, string>
  enterKeyHint?: ComponentProps<'input'>['enterKeyHint']
  /** The page opens with the focus in the first field. */
  opens?: boolean
}

/**
 * A new password with its rules, and its repetition, without script. Where one runs, it marks the rules that are met
 * and generates a password (`passwordScript`).
 */
export async function PasswordPair({ rules, errors, enterKeyHint = 'next', opens = false }: Props) {
  const [t, tErrors] = await Promise.all([getTranslations('entry.password'), getTranslations('errors')])
  const words = wordsOf(tErrors)
  const field = (name: keyof typeof passwordIds) => {
    const code = errors[name]
    return {
      id: passwordIds[name],
      name,
      error: code && words(words.has(code) ? code : 'errorUnknown'),
      // what the two have in common goes from both when one is corrected
      'data-shared': code === 'errorMatch' || undefined,
      autoComplete: 'new-password',
    }
  }
  const { groups, length } = generationOf(rules)
  return (
    <>
      <div className="grid gap-3">
        <PasswordInput
          {...field('password')}
          {...(opens && focused)}
          label={t('password')}
          describedBy={marksId}
          enterKeyHint="next"
        />
        <ul
          id={marksId}
          aria-label={t('rulesLabel')}
          data-marks={passwordIds.password}
          data-repeat={passwordIds.repeatPassword}
          data-passed={t('passed')}
          data-failed={t('failed')}
          className="grid gap-1 text-note xs:grid-cols-2"
        >
          {passwordMarks(rules, '').map(({ id, params }) => (
            <li
              key={id}
              data-rule={patternOf(rules, id)}
              className="group flex items-start gap-2 text-ink-second data-met:text-ok"
            >
              <Circle className="mt-0.5 size-3.5 group-data-met:hidden" />
              <Check className="mt-0.5 hidden size-3.5 group-data-met:block" />
              <span className="min-w-0 break-words">
                {params.title ?? wordsOf(t)(`rules.${id}`, { count: params.count ?? 0, symbols: params.symbols ?? '' })}
                <span data-word className="sr-only" />
              </span>
            </li>
          ))}
        </ul>
      </div>
      <div className="grid gap-1.5">
        <PasswordInput {...field('repeatPassword')} label={t('repeat')} enterKeyHint={enterKeyHint} />
        <p
          id={`${passwordIds.repeatPassword}-differs`}
          role="status"
          data-text={words('errorMatch')}
          className="text-note text-warning empty:hidden"
        />
      </div>
      {rules.generate ? (
        <div className="grid gap-2 [&:not(:has(button:not([hidden])))]:hidden">
          <button
            type="button"
            hidden
            data-generate={passwordIds.password}
            data-groups={JSON.stringify(groups)}
            data-length={length}
            data-generated={t('generated')}
            data-luckless={t('generateFailed')}
            className={`${buttonClasses({ variant: 'secondary' })} justify-self-start`}
          >
            {t('generate')}
          </button>
          <p role="status" className="text-ink-second text-note" />
        </div>
      ) : null}
    </>
  )
}
