'use client'

import { useTranslations } from 'next-intl'
import { focused } from '@/components/form/focused'
import { User } from '@/components/ui/icons'
import { LinkButton } from '@/components/ui/text-link'
import { AuthSubmitButton } from '../../_ui/auth-submit-button'
import { forgetAccount } from './remembering'

type Props = {
  account: string
  /** The name of the field that submits it. */
  name: string
  pending: boolean
  /** Opens the field for another identifier. */
  onOther: () => void
}

/** The account that this device remembers: continue, sign in as somebody else, or remove it from the device. */
export function RememberedAccount({ account, name, pending, onOther }: Props) {
  const t = useTranslations('entry.remember')
  return (
    <>
      <input type="hidden" name={name} value={account} />
      <div className="flex items-center gap-3.5 rounded-card border border-line bg-surface py-3 pr-4 pl-3.5">
        <span
          aria-hidden="true"
          className="flex size-10 shrink-0 items-center justify-center rounded-full bg-brand-tint text-brand"
        >
          <User className="size-5" />
        </span>
        <p className="wrap-anywhere min-w-0 grow font-medium">{account}</p>
        <LinkButton
          onClick={() => {
            forgetAccount()
            onOther()
          }}
          aria-label={t('forgetThis', { account })}
          className="shrink-0 text-table pointer-coarse:min-h-11"
        >
          {t('forget')}
        </LinkButton>
      </div>
      <div className="grid gap-4">
        <AuthSubmitButton pending={pending} {...focused}>
          <span className="wrap-anywhere min-w-0">{t('continue', { account })}</span>
        </AuthSubmitButton>
        <LinkButton onClick={onOther} className="justify-self-start pointer-coarse:min-h-11">
          {t('other')}
        </LinkButton>
      </div>
    </>
  )
}
