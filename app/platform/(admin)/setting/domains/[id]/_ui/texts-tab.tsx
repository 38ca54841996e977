'use client'

import { useTranslations } from 'next-intl'
import { useWatch } from 'react-hook-form'
import type { RowFields } from '@/components/form/field-name'
import { useFormMethods } from '@/components/form/form'
import { FormSwitch } from '@/components/form/form-choice'
import { FormLocales } from '@/components/form/form-locales'
import { FormRows } from '@/components/form/form-rows'
import { FormText, FormTextarea } from '@/components/form/form-text'
import type { KnownLocale } from '@/components/form/known-locale'
import { useRemote } from '@/components/form/use-remote'
import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
import { OrderedField } from './ordered-field'
import { emptyLocale, field, type LocaleValues, type Values } from './values'

type Props = {
  /** Whether it is the base domain, which takes its texts from no other. */
  base: boolean
  locales: readonly KnownLocale[]
  onOpen: (locale: KnownLocale) => void
}

/** The texts of the domain by language, or the note that it has those of the base domain. */
export function TextsTab({ base, locales, onOpen }: Props) {
  const t = useTranslations('domains')
  const domains = useRemote('domains')
  const [type, baseSettings, spoken] = useWatch({ name: ['type', 'baseSettings', 'locales'] }) as [
    string,
    boolean,
    LocaleValues[],
  ]
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
      {base ? null : <FormSwitch name={field('baseSettings')} label={t('baseSettings')} hint={t('baseSettingsHint')} />}
      {type === 'draft' ? (
        <OrderedField
          name={field('domains')}
          label={t('domains')}
          hint={t('domainsHint')}
          search={domains}
          add={t('addSource')}
          none={t('noSources')}
          idOf={(id) => id}
          made={(id) => id}
        />
      ) : null}
      {baseSettings ? <Alert tone="info">{t('baseSettingsOn')}</Alert> : null}
      {spoken.length === 0 ? (
        <NoTexts locales={locales} />
      ) : (
        <FormLocales
          name={field('locales')}
          label={t('locales')}
          locales={locales}
          empty={emptyLocale}
          state={(row, locale) => {
            const current = spoken.find(({ localeId }) => localeId === row.localeId)
            if (current?.enabled === false) return t('localeOff')
            return current === spoken.find(({ enabled }) => enabled) && locale.code ? t('localeMain') : undefined
          }}
          onOpen={onOpen}
        >
          {(row, locale, index) => <LocaleFields row={row as RowFields<LocaleValues>} locale={locale} at={index} />}
        </FormLocales>
      )}
    </div>
  )
}

/** The note of a domain without texts of its own, which has those of the base domain. */
function NoTexts({ locales }: { locales: readonly KnownLocale[] }) {
  const t = useTranslations('domains')
  const { setValue } = useFormMethods<Values>()
  const first = locales.find(({ code }) => code === 'ru') ?? locales[0]
  return (
    <div className="grid justify-items-start gap-3 rounded-card border border-line border-dashed p-4">
      <p className="text-ink-second">{t('noTexts')}</p>
      {first ? (
        <Button
          variant="secondary"
          size="S"
          onClick={() => setValue('locales', [emptyLocale(first.id)], { shouldDirty: true })}
        >
          {t('addTexts', { locale: first.name })}
        </Button>
      ) : null}
    </div>
  )
}

type FieldsProps = { row: RowFields<LocaleValues>; locale: KnownLocale; at: number }

function LocaleFields({ row, locale, at }: FieldsProps) {
  const t = useTranslations('domains')
  const banners = useRemote('banners')
  const { getValues, setValue } = useFormMethods<Values>()
  const toFront = () => {
    const rows = getValues('locales')
    const movedRow = rows[at]
    if (movedRow) setValue('locales', [movedRow, ...rows.toSpliced(at, 1)], { shouldDirty: true })
  }
  return (
    <>
      <FormSwitch
        name={row('enabled')}
        label={t('showIn', { locale: locale.name })}
        hint={t('showInHint')}
        fullLabel={t('shown')}
      />
      <FormText
        name={row('settings.projectTitle')}
        label={t('projectTitle')}
        hint={t('projectTitleHint')}
        maxLength={100}
      />
      <FormText
        name={row('settings.projectName')}
        label={t('projectName')}
        hint={t('projectNameHint')}
        maxLength={100}
      />
      <FormText name={row('settings.siteName')} label={t('siteName')} maxLength={100} />
      <FormText mono name={row('settings.siteLink')} label={t('siteLink')} maxLength={2000} />
      <OrderedField
        name={row('settings.banners')}
        label={t('banners')}
        hint={t('bannersHint')}
        search={banners}
        add={t('addBanner')}
        none={t('noBanners')}
        idOf={(id) => id}
        made={(id) => id}
        below={(_, __, option) =>
          option?.off ? <span className="text-note text-warning">{t('bannerHidden')}</span> : null
        }
      />
      <FormTextarea name={row('settings.copyright')} label={t('copyright')} rows={2} maxLength={255} />
      <FormRows
        name={row('settings.technical')}
        label={t('technical')}
        rowLabel={t('technicalRow')}
        hint={t('technicalHint')}
        addLabel={t('addTechnical')}
        empty={() => ({ title: '', text: '', link: '', mobile: '' })}
        max={20}
      >
        {(contact) => (
          <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
            <FormText name={contact('title')} label={t('technicalTitle')} maxLength={100} />
            <FormText name={contact('mobile')} label={t('technicalMobile')} type="tel" maxLength={32} />
            <FormText name={contact('text')} label={t('technicalText')} maxLength={255} />
            <FormText mono name={contact('link')} label={t('technicalLink')} maxLength={2000} />
          </div>
        )}
      </FormRows>
      {at > 0 ? (
        <Button variant="quiet" size="S" className="justify-self-start" onClick={toFront}>
          {t('makeMain', { locale: locale.name })}
        </Button>
      ) : null}
    </>
  )
}
