import { getTranslations } from 'next-intl/server'
import { CardGroup } from '@/components/card/group'
import { MissingValue } from '@/components/ui/key-values'
import { Pill } from '@/components/ui/pill'
import type { Ctx } from '@/lib/base/context/ctx'
import { localName } from '@/lib/base/i18n/local-name'
import { mobileText } from '@/lib/base/text/mobile'
import { ownContactRefusal } from '@/lib/my-account/contact-details/allowed'
import type { Contact, ContactKind } from '@/lib/my-account/contact-details/contract'
import type { ProfileDetails, ProfileFieldView } from '@/lib/my-account/personal/contract'
import { platformSettings } from '@/lib/site/settings/service'
import { AddContact, ContactRowMenu } from '../contact-parts'

type Props = { ctx: Ctx; details: ProfileDetails; fields: readonly ProfileFieldView[] }

/** The e-mails and mobiles of the profile, each with its proof and its consent. */
export async function Contacts({ ctx, details, fields }: Props) {
  const { authCodeDigits: digits } = await platformSettings()
  const kinds = (['email', 'mobile'] as const).flatMap((kind) => {
    const field = fields.find(({ base, code }) => base && code === kind)
    return field ? [{ kind, field }] : []
  })
  return kinds.map(({ kind, field }) => (
    <Kind key={kind} ctx={ctx} kind={kind} field={field} digits={digits} details={details} />
  ))
}

type KindProps = Omit<Props, 'fields'> & { kind: ContactKind; field: ProfileFieldView; digits: number }

async function Kind({ ctx, kind, field, digits, details: { mainInfo, contactsInfo, updatedInfo } }: KindProps) {
  const [t, tProfile, refusal] = await Promise.all([
    getTranslations('account.contacts'),
    getTranslations('profile'),
    ownContactRefusal(kind),
  ])
  const contacts = kind === 'email' ? contactsInfo.emails : contactsInfo.mobiles
  const textOf = (value: string) => (kind === 'mobile' ? mobileText(value, ctx.locale) : value)
  const isEditable = mainInfo.isEditable && refusal === null
  // a directory decides on the main contact
  const mainFixed = mainInfo.kept.includes(kind)
  return (
    <CardGroup
      title={localName(field, ctx.locale)}
      action={
        isEditable ? (
          <AddContact kind={kind} digits={digits} first={contacts.length === 0} mainFixed={mainFixed} />
        ) : null
      }
    >
      <div id={kind} className="divide-y divide-line rounded-card border border-line bg-surface target:bg-brand-tint">
        {contacts.length === 0 ? (
          <div className="px-4 py-3 text-ink-second">
            {field.required ? <MissingValue text={tProfile('missing')} /> : t('none')}
          </div>
        ) : (
          <ul className="divide-y divide-line">
            {contacts.map((contact) => (
              <li key={contact.value} className="flex items-center gap-3 py-2.5 pr-3 pl-4">
                <Facts contact={contact} shown={textOf(contact.value)} />
                {isEditable ? (
                  <ContactRowMenu
                    name={textOf(contact.value)}
                    kind={kind}
                    digits={digits}
                    contact={contact}
                    contacts={contacts}
                    mainFixed={mainFixed}
                    updatedAt={updatedInfo.updatedAt}
                  />
                ) : null}
              </li>
            ))}
          </ul>
        )}
      </div>
    </CardGroup>
  )
}

async function Facts({ contact, shown }: { contact: Contact; shown: string }) {
  const t = await getTranslations('account.contacts')
  const { main, verified, agreement, messengers } = contact
  return (
    <div className="grid min-w-0 grow gap-1">
      <p className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
        <span className="wrap-anywhere min-w-0 tabular-nums">{shown}</span>
        {main ? <Pill tone="info">{t('main')}</Pill> : null}
        <Pill tone={verified ? 'ok' : 'warning'}>{t(verified ? 'verified' : 'unverified')}</Pill>
      </p>
      <p className="text-ink-second text-note">
        {[t(`agreements.${agreement}`), ...messengers.map((each) => t(`messengerNames.${each}`))].join(' · ')}
      </p>
    </div>
  )
}
