import type { Random } from './random'

export type Person = {
  lastName: string
  firstName: string
  middleName: string
  gender: 'man' | 'woman'
  latin: boolean
}

const surnames =
  `Иванов Смирнов Кузнецов Попов Васильев Петров Соколов Михайлов Новиков Фёдоров Морозов Волков Алексеев Лебедев Семёнов
  Егоров Павлов Козлов Степанов Николаев Орлов Андреев Макаров Никитин Захаров Зайцев Соловьёв Борисов Яковлев Григорьев
  Романов Воробьёв Сергеев Кузьмин Фролов Александров Дмитриев Королёв Гусев Киселёв Ильин Максимов Поляков Сорокин
  Виноградов Ковалёв Белов Медведев Антонов Тарасов Жуков Баранов Филиппов Комаров Давыдов Беляев Герасимов Богданов
  Осипов Сидоров Матвеев Титов Марков Миронов Крылов Куликов Карпов Власов Мельников Денисов Гаврилов Тихонов Казаков
  Данилов Савельев Тимофеев Фомин Чернов Абрамов Мартынов Ефимов Щербаков Назаров Калинин Исаев Чернышёв Быков Маслов
  Родионов Коновалов Лазарев Воронин Климов Филатов Пономарёв Голубев Кудрявцев Прохоров Наумов Потапов Журавлёв
  Вишневский Ясинский Островский Рождественский Бондаренко Шевченко Ткаченко Черных Седых Римский-Корсаков`.split(/\s+/)

const men =
  `Александр Алексей Андрей Антон Артём Борис Вадим Василий Виктор Владимир Глеб Григорий Денис Дмитрий Евгений
  Егор Иван Игорь Кирилл Константин Лев Максим Михаил Никита Николай Олег Павел Роман Семён Сергей Степан Тимофей Фёдор
  Юрий Ярослав`.split(/\s+/)

const women = `Алёна Алина Анастасия Анна Валентина Валерия Варвара Вера Виктория Галина Дарья Евгения Екатерина Елена
  Елизавета Ирина Кира Ксения Лариса Людмила Маргарита Марина Мария Надежда Наталья Ольга Полина Светлана София Татьяна
  Ульяна Юлия Яна Анна-Мария`.split(/\s+/)

/** A father's name with the patronymics of his son and his daughter. */
const patronymics = `Александрович Александровна Алексеевич Алексеевна Андреевич Андреевна Антонович Антоновна
  Борисович Борисовна Васильевич Васильевна Викторович Викторовна Владимирович Владимировна Григорьевич Григорьевна
  Дмитриевич Дмитриевна Евгеньевич Евгеньевна Иванович Ивановна Игоревич Игоревна Ильич Ильинична Константинович
  Константиновна Львович Львовна Максимович Максимовна Михайлович Михайловна Николаевич Николаевна Олегович Олеговна
  Павлович Павловна Петрович Петровна Романович Романовна Семёнович Семёновна Сергеевич Сергеевна Фёдорович Фёдоровна
  Юрьевич Юрьевна`.split(/\s+/)

const foreigners = `Schmidt:Anna:woman O'Connor:Liam:man Müller:Jürgen:man Rossi:Giulia:woman Novák:Tomáš:man
  Kowalska:Zofia:woman Dupont:Élise:woman Larsen:Erik:man Yılmaz:Emre:man Nguyen:Linh:woman García:Lucía:woman
  Smith:John:man Tanaka:Yuki:woman Hansen:Ingrid:woman Popescu:Andrei:man Silva:João:man Andersson:Björn:man
  Brown:Emily:woman Haddad:Karim:man Chen:Wei:man`.split(/\s+/)

function womanly(surname: string): string {
  const last = (part: string) => {
    if (/(?:ов|ев|ёв|ин)$/.test(part)) return `${part}а`
    if (/(?:ский|цкий)$/.test(part)) return part.replace(/ий$/, 'ая')
    return part
  }
  return surname.includes('-') ? surname.split('-').map(last).join('-') : last(surname)
}

/** Somebody with a Russian name, every twenty-fifth with a name in Latin letters. */
export function personFrom(random: Random, at: number): Person {
  if (at % 25 === 24) {
    const [lastName = '', firstName = '', gender] = (foreigners[Math.floor(at / 25) % foreigners.length] ?? '').split(
      ':',
    )
    return { lastName, firstName, middleName: '', gender: gender === 'man' ? 'man' : 'woman', latin: true }
  }
  const gender = random.chance(0.5) ? 'man' : 'woman'
  const surname = random.pick(surnames)
  const pair = random.below(patronymics.length / 2) * 2
  return {
    lastName: gender === 'man' ? surname : womanly(surname),
    firstName: random.pick(gender === 'man' ? men : women),
    middleName: patronymics[gender === 'man' ? pair : pair + 1] ?? '',
    gender,
    latin: false,
  }
}

const letters: Record<string, string> = Object.fromEntries(
  'а-a б-b в-v г-g д-d е-e ё-yo ж-zh з-z и-i й-y к-k л-l м-m н-n о-o п-p р-r с-s т-t у-u ф-f х-kh ц-ts ч-ch ш-sh щ-shch ъ- ы-y ь- э-e ю-yu я-ya'
    .split(' ')
    .map((pair) => pair.split('-') as [string, string]),
)

/** A name in plain Latin letters, for logins and addresses. */
export const latinized = (name: string) =>
  [...name.toLowerCase()]
    .map((letter) => letters[letter] ?? letter)
    .join('')
    .normalize('NFD')
    .replaceAll('ı', 'i')
    .replace(/[^a-z0-9-]/g, '')
