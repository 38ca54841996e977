import type { Transaction } from '@/db/client'
import { contractorOrganizations, contractors, organizations } from '@/db/schema/people'
import { stableId } from '@/lib/base/runtime/stable-id'
import { daysAgo } from './random'
import { headOfficeKpp, withInnCheck, withOgrnCheck, withOkpoCheck } from './requisites'

export const organizationIds = {
  polaris: stableId('demo organization', 'polaris'),
  logistics: stableId('demo organization', 'logistics'),
}

type Contractor = {
  /** Also the mail domain of its people. */
  slug: string
  name: string
  /** Without check digits: nine for a company, ten for a person. */
  inn: string
  /** Year of registration, for the ogrn. */
  year: number
  foreign?: { registrationNumber: string; taxNumber: string }
  disabled?: boolean
}

const list: Contractor[] = [
  { slug: 'severny-veter', name: 'ООО «Северный ветер»', inn: '510412734', year: 2004 },
  { slug: 'mashstroy', name: 'АО «Машстрой»', inn: '661523418', year: 2002 },
  { slug: 'volga-metall', name: 'ООО «Волга-Металл»', inn: '631248905', year: 2011 },
  { slug: 'kravtsov', name: 'ИП Кравцов Олег Игоревич', inn: '7701283456', year: 2016 },
  { slug: 'ladoga-trans', name: 'ООО «Ладога-Транс»', inn: '781634527', year: 2013 },
  { slug: 'uralhimsnab', name: 'АО «Уралхимснаб»', inn: '667104892', year: 2003 },
  { slug: 'tochny-instrument', name: 'ООО «Точный инструмент»', inn: '770945231', year: 2015 },
  { slug: 'baikal-les', name: 'ООО «Байкал-Лес»', inn: '381207645', year: 2009 },
  { slug: 'yelizarova', name: 'ИП Елизарова Фёкла Петровна', inn: '5403217890', year: 2020 },
  {
    slug: 'nordlicht',
    name: 'Филиал «Нордлихт Хандельс ГмбХ»',
    inn: '990912345',
    year: 2014,
    foreign: { registrationNumber: 'HRB 104523', taxNumber: 'DE 201 345 678' },
  },
  { slug: 'zvezdny-put', name: 'ООО «Звёздный путь»', inn: '502478913', year: 2018 },
  { slug: 'stary-gorod', name: 'ООО «Старый город»', inn: '760412089', year: 2007, disabled: true },
]

const contractorId = (slug: string) => stableId('demo contractor', slug)

/** The contractors whose people use the platform, with where those may hold roles. */
export const demoContractors = list.map(({ slug, disabled = false }, at) => ({
  id: contractorId(slug),
  slug,
  disabled,
  organizationIds: at % 3 === 2 ? Object.values(organizationIds) : [organizationIds.polaris],
}))

function requisitesOf({ name, inn: digits, year, foreign }: Contractor) {
  const inn = withInnCheck(digits)
  const region = inn.slice(0, 2)
  const shortYear = String(year % 100).padStart(2, '0')
  if (inn.length === 12)
    return { name, inn, kpp: null, ogrn: withOgrnCheck(`3${shortYear}${region}${inn.slice(2, 11)}`), okpo: null }
  return {
    name,
    inn,
    kpp: headOfficeKpp(inn),
    ogrn: withOgrnCheck(`1${shortYear}${region}${inn.slice(2, 9)}`),
    okpo: withOkpoCheck(inn.slice(2, 9)),
    ...foreign,
  }
}

/** Two organizations of the platform's owner and a dozen contractors. */
export async function seedCompanies(tx: Transaction) {
  await tx.insert(organizations).values([
    {
      id: organizationIds.polaris,
      nameEn: 'Polaris JSC',
      code: 'polaris',
      ...requisitesOf({ slug: '', name: 'АО «Полярис»', inn: '770112358', year: 2001 }),
      createdAt: daysAgo(900),
    },
    {
      id: organizationIds.logistics,
      nameEn: 'Polaris Logistics LLC',
      code: 'polaris-logistics',
      ...requisitesOf({ slug: '', name: 'ООО «Полярис Логистика»', inn: '780221345', year: 2012 }),
      createdAt: daysAgo(640),
    },
  ])
  await tx.insert(contractors).values(
    list.map((contractor, at) => ({
      id: contractorId(contractor.slug),
      ...requisitesOf(contractor),
      externalCode: `К-${String(at + 1).padStart(4, '0')}`,
      enabled: !contractor.disabled,
      createdAt: daysAgo(600 - at * 31),
    })),
  )
  await tx
    .insert(contractorOrganizations)
    .values(
      demoContractors.flatMap(({ id, organizationIds: ids }) =>
        ids.map((organizationId) => ({ contractorId: id, organizationId })),
      ),
    )
}
