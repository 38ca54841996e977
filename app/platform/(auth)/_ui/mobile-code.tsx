import { useLocale, useTranslations } from 'next-intl'
import { buttonClasses } from '@/components/ui/button-classes'
import { mobileText } from '@/lib/base/text/mobile'
import type { CodeState } from '@/lib/sign-in/codes/redis-code'
import { CodeEntry } from './code-entry'
import type { FormFailure } from './form-failure'
import { MobileRow } from './mobile-row'
import { useMobileError } from './use-mobile-error'

type Props = {
  /** As E.164. */
  mobile: string
  code: CodeState | null
  failed: FormFailure | null
  codeDigits: number
  /** The address of the step that asks for another number. */
  change: string
}

/** Asks for the code that was sent to a mobile. It proves the mobile (docs/rules/codes.md#entering). */
export function MobileCode({ mobile, code, failed, codeDigits, change }: Props) {
  const t = useTranslations()
  const error = useMobileError(failed)
  const number = mobileText(mobile, useLocale())
  return (
    <div className="grid animate-arrive grid-cols-1 gap-6">
      <CodeEntry
        flow="sms_code"
        code={code}
        codeDigits={codeDigits}
        failed={failed}
        action={t('person.verifyFailed')}
        sent={{ first: t('person.sent', { mobile: number }), again: t('person.sentAgain', { mobile: number }) }}
        advice={t('entry.code.sms_code.advice')}
        receiver={
          <MobileRow label={t('person.mobile')} mobile={number} verified={false} error={error} change={change} />
        }
        fields={<input type="hidden" name="mobile" value={mobile} />}
        resendForm="mobile"
        {...(error && {
          closed: (
            <a href={change} className={buttonClasses({ size: 'L' })}>
              {t('person.otherMobile')}
            </a>
          ),
        })}
      />
    </div>
  )
}
