import type { DemoLogin } from '@/db/seed/demo/accounts'

/** The applications of the demo, by their codes. */
export const demoApplications = {
  procurement: 'an internal one with orders and tenders; its client has a secret',
  warehouse: 'an internal one for employees, not offered to partners; its client is public',
  documentation: 'a tile that leads to the reference of the REST API',
  partner: 'a third-party service of a carrier; people consent to it',
} as const
export type DemoApplication = keyof typeof demoApplications

/** The clients of the demo by which programs work without people. */
export const demoPrograms = { warehouse: 'warehouse-sync' } as const

/** The host of the demo's second domain, for people of contractors, which has its own look and schema. */
export const partnersHost = 'partners.localhost'

type DemoPerson = { login: DemoLogin; fio: string; services: readonly DemoApplication[]; about: string }

/**
 * The people of the demo by the kind for which tests ask, each with what is different about them. Their password is
 * `demoPassword`. Browser tests use accounts of their own with the same rights (`ownPerson`).
 */
export const demoPeople = {
  administrator: {
    login: 'admin',
    fio: 'Полярная Вера Андреевна',
    services: ['procurement', 'warehouse', 'documentation'],
    about: 'may do everything in the administration',
  },
  auditor: {
    login: 'auditor',
    fio: 'Зорин Глеб Павлович',
    services: [],
    about: 'reads the administration, writes nothing',
  },
  support: {
    login: 'support',
    fio: 'Ключевская Инна Олеговна',
    services: ['procurement'],
    about: 'helps people: accounts, sessions, history',
  },
  manager: {
    login: 'manager',
    fio: 'Северный Юрий Львович',
    services: ['procurement'],
    about: 'decides for two contractors, Северный ветер and Машстрой',
  },
  oneService: {
    login: 'one-service',
    fio: 'Ракитина Ольга Фёдоровна',
    services: ['procurement'],
    about: 'gets there at once',
  },
  employee: {
    login: 'services',
    fio: 'Ветров Семён Ильич',
    services: ['procurement', 'warehouse', 'documentation'],
    about: 'works in two organizations, chooses a service',
  },
  noServices: { login: 'no-services', fio: 'Новичков Лев Антонович', services: [], about: 'has no role yet' },
  emptyFields: {
    login: 'empty-fields',
    fio: 'Пустовалова Яна Юрьевна',
    services: ['procurement', 'documentation'],
    about: 'lacks the e-mail and the position, which are required',
  },
  blocked: { login: 'blocked', fio: 'Замков Борис Романович', services: ['procurement'], about: 'may not sign in' },
  firstEntry: {
    login: 'first-entry',
    fio: 'Первушина Ульяна Денисовна',
    services: ['procurement'],
    about: 'must choose a password at the first sign-in',
  },
  twoFactors: {
    login: 'two-factors',
    fio: 'Надёжная Марина Викторовна',
    services: ['procurement', 'warehouse'],
    about: 'signs in by the password and then a code',
  },
} as const satisfies Record<string, DemoPerson>
export type Kind = keyof typeof demoPeople
