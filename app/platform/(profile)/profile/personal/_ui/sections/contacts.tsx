import { getTranslations } from 'next-intl/server'
import { CardGroup } from '@/components/card/group'
import { KeyValue, KeyValues } from '@/components/ui/key-values'
import { Pill } from '@/components/ui/pill'
import type { Ctx } from '@/lib/kernel/ctx'
import { localName } from '@/lib/kernel/i18n/local-name'
import { mobileText } from '@/lib/kernel/mobile'
import type { ProfileDetails, ProfileFieldView } from '@/lib/profile/personal/contract'

type Props = { ctx: Ctx; details: ProfileDetails; fields: readonly ProfileFieldView[] }

/** Main e-mail and mobile with the state of their proof. */
export async function Contacts({ ctx, details: { contactsInfo }, fields }: Props) {
  const t = await getTranslations('profile')
  const fieldOf = (code: string) => fields.find((field) => field.base && field.code === code)
  const rows = [
    { field: fieldOf('email'), contact: contactsInfo.emails.main, textOf: (value: string) => value },
    {
      field: fieldOf('mobile'),
      contact: contactsInfo.mobiles.main,
      textOf: (value: string) => mobileText(value, ctx.locale),
    },
  ].flatMap(({ field, ...row }) => (field ? [{ field, ...row }] : []))
  if (rows.length === 0) return null
  return (
    <CardGroup title={t('contacts.title')}>
      <KeyValues>
        {rows.map(({ field, contact, textOf }) => (
          <KeyValue
            key={field.code}
            id={field.code}
            label={localName(field, ctx.locale)}
            {...(field.required ? { missing: t('missing') } : {})}
          >
            {contact ? (
              <>
                <span className="wrap-anywhere">{textOf(contact.value)}</span>
                <Pill tone={contact.verified ? 'ok' : 'warning'}>
                  {t(contact.verified ? 'contacts.verified' : 'contacts.notVerified')}
                </Pill>
              </>
            ) : null}
          </KeyValue>
        ))}
      </KeyValues>
    </CardGroup>
  )
}
