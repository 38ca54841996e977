'use client'

import { Lock } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { GroupForm } from '@/components/card/group-form'
import { fieldsOf } from '@/components/form/field-name'
import { FormSwitch } from '@/components/form/form-choice'
import { FormSelect } from '@/components/form/form-select'
import { type ContractForm, useContractForm } from '@/components/form/use-contract-form'
import { cn } from '@/components/ui/cn'
import { TextLink } from '@/components/ui/text-link'
import { type ChannelId, type PartName, type Period, partName } from '@/lib/messaging/subscription-kinds'
import { putSubscriptions, type Subscription } from '@/lib/my-account/subscriptions/contract'

type Props = {
  subscribes: readonly Subscription[]
  channels: readonly { id: ChannelId; active: boolean }[]
  updatedAt: string | null
  onDone: () => void
}

type Values = { updatedAt: string | null } & { [K in PartName]?: boolean | Period }

/** The values of the form: one for each part that can change. */
const valuesOf = (subscribes: readonly Subscription[]): Omit<Values, 'updatedAt'> =>
  Object.fromEntries(
    subscribes.flatMap(({ id, period, availablePeriods, channels }) => [
      ...channels
        .filter(({ locked }) => !locked)
        .map((channel): [PartName, boolean | Period] => [partName(id, channel.id), channel.enabled]),
      ...(availablePeriods.length > 1 ? [[partName(id, 'period'), period] as [PartName, Period]] : []),
    ]),
  )

/** The items of the call for what differs from the values with which the form began. */
const itemsOf = (subscribes: readonly Subscription[], values: Values, base: Partial<Values>) =>
  subscribes
    .filter((subscription) =>
      Object.keys(valuesOf([subscription])).some((name) => values[name as PartName] !== base[name as PartName]),
    )
    .flatMap(({ id, period, channels }) =>
      channels.map((channel) => ({
        subscribeId: id,
        channelId: channel.id,
        enabled: channel.locked || values[partName(id, channel.id)] === true,
        period: (values[partName(id, 'period')] ?? period) as Period,
      })),
    )

/** Changes the channels and periods of some subscriptions. */
export function SubscriptionForm({ subscribes, channels, updatedAt, onDone }: Props) {
  const t = useTranslations('subscriptions')
  const form: ContractForm<Values> = useContractForm<typeof putSubscriptions, Values>(putSubscriptions, {
    defaultValues: { updatedAt, ...valuesOf(subscribes) },
    toBody: (values) => ({
      updatedAt: values.updatedAt,
      subscribes: itemsOf(subscribes, values, (form.form.formState.defaultValues ?? {}) as Partial<Values>),
    }),
    fieldOf: (field) => {
      const [, index, part] = /^subscribes\.(\d+)\.(\w+)$/.exec(field) ?? []
      const base = (form.form.formState.defaultValues ?? {}) as Partial<Values>
      const item = itemsOf(subscribes, form.form.getValues(), base)[Number(index)]
      if (!item) return field
      return partName(item.subscribeId, part === 'period' ? 'period' : item.channelId)
    },
    onDone,
  })
  const field = fieldsOf(form)
  const watched = (name: PartName) => form.form.watch(name)
  const labelOf = (name: PartName) => t(`history.${name}` as 'history.newsEmail')
  const lacking = channels.filter(({ active }) => !active).map(({ id }) => id)
  const periodic = subscribes.some(({ availablePeriods }) => availablePeriods.length > 1)
  const missing = lacking.filter((id): id is 'email' | 'sms' => id !== 'local')
  return (
    <GroupForm form={form} onDone={onDone} note={periodic ? t('periodHint') : undefined}>
      {missing.map((id) => (
        <p key={id} className="text-ink-second text-note">
          {t(`noContact.${id}`)}{' '}
          <TextLink href={`/platform/profile/personal#${id === 'email' ? 'email' : 'mobile'}`}>
            {t('addContact')}
          </TextLink>
        </p>
      ))}
      {subscribes.map(({ id, availablePeriods, channels: ownChannels }) => (
        <fieldset key={id} className="grid gap-1.5 border-line not-first-of-type:border-t not-first-of-type:pt-4">
          <legend className="float-left mb-0 w-full font-medium">{t(`names.${id}`)}</legend>
          <div
            className={cn(
              'grid items-start gap-x-8 gap-y-3',
              availablePeriods.length > 1 && '@min-[34rem]:grid-cols-[minmax(0,1fr)_11rem]',
            )}
          >
            <div className="grid content-start gap-3">
              <p className="text-ink-second text-note">{t(`notes.${id}`)}</p>
              <div className="flex flex-wrap gap-x-7 gap-y-3">
                {ownChannels.map((channel) =>
                  channel.locked ? (
                    <p key={channel.id} className="flex min-h-6 items-center gap-2 text-ink-second">
                      <Lock aria-hidden="true" className="size-4 shrink-0" />
                      {t('alwaysNote')}
                    </p>
                  ) : (
                    <FormSwitch
                      key={channel.id}
                      name={field(partName(id, channel.id)) as never}
                      label={t(`channels.${channel.id}`)}
                      fullLabel={labelOf(partName(id, channel.id))}
                      disabled={!channel.enabled && lacking.includes(channel.id)}
                    />
                  ),
                )}
              </div>
            </div>
            {availablePeriods.length > 1 ? (
              // without mails there is nothing to choose
              <FormSelect
                name={field(partName(id, 'period')) as never}
                label={t('period')}
                fullLabel={labelOf(partName(id, 'period'))}
                disabled={watched(partName(id, 'email')) === false}
                options={availablePeriods.map((value) => ({ value, label: t(`periods.${value}`) }))}
              />
            ) : null}
          </div>
        </fieldset>
      ))}
    </GroupForm>
  )
}
