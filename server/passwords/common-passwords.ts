/** The shortest password the contract allows; shorter ones need not be listed. */
const SHORTEST = 8

/** Listed unchanged: the top of breach lists (RockYou, Have I Been Pwned, NCSC's top 100 000). */
const LISTED = `
  password passw0rd p@ssword p@ssw0rd pa$$word pa$$w0rd passwort passwords mypassword thepassword newpassword
  password! password. passw0rd! p@ssw0rd! p@ssw0rd1 p@ssword1 p@ssw0rd123 p@ssword123 pass1234 pass12345 pass123456 password1234567890
  contraseña contrasena motdepasse wachtwoord parola123 parool123 heslo123 haslo123 salasana lozinka123 senha123 senha1234 clave123
  administrator admin123 admin1234 admin12345 admin123456 admin@123 admin!23 root1234 toor1234 changeme changeme1 changeme123 changeit default1 guest123
  letmein1 letmein! letmein123 welcome1 welcome! welcome12 welcome123 welcome@123 secret123 secret12 topsecret test1234 test12345 testtest testing1 testing123 tester123 user1234 username login123
  iloveyou iloveyou! iloveyou1 iloveyou2 iloveu123 iloveme1 loveyou1 lovelove loveme123 mylove123 teamo123 tequiero teamomucho jetaime1 tiamo123
  sunshine princess football baseball basketball superman batman123 spiderman starwars pokemon1 pokemon123 minecraft
  trustno1 whatever computer internet facebook linkedin instagram youtube1 whatsapp samsung1 samsung123 google123 microsoft1
  michelle jennifer jessica1 victoria elizabeth alexander alexandra christian christopher nicholas benjamin samantha stephanie
  danielle veronica isabella gabriela fernando francisco alejandro alejandra mercedes ferrari1 porsche1 corvette mustang1
  chocolate butterfly dolphin1 elephant liverpool liverpool1 barcelona realmadrid juventus arsenal1 chelsea1 manchester everton1 rangers1 celtic12
  jonathan brandon1 patricia victoria1 charlotte caroline katherine sebastian valentina mohammed muhammad
  blink182 metallica nirvana1 eminem123 slipknot greenday linkinpark beatles1 maverick midnight mountain scorpion scooter1 snowball sparky12
  abcd1234 abcd12345 abc12345 abc123456 abc123abc abcdefgh abcdefghi abcdefghij abcd1234! a1b2c3d4 a1b2c3d4e5 aa123456 aa12345678 a1234567 a12345678 a123456789 q1234567 q12345678 z1234567 x1234567
  1a2b3c4d 1q2w3e4r 1q2w3e4r5t 1q2w3e4r5t6y 1qaz2wsx 1qaz2wsx3edc 1qazxsw2 qazwsxedc qazwsxedcrfv qazwsx123 zaq12wsx zaq1xsw2 zaq1zaq1 1qaz@wsx !qaz2wsx !qaz@wsx q1w2e3r4 q1w2e3r4t5 q1w2e3r4t5y6 qweasdzxc qweasd123 qwe123qwe qwe12345 asd12345 asd123asd zxc12345 123qweasd 123qweasdzxc 123qwe123 12qwaszx
  qwer1234 qwert123 qwert12345 qwerty12 qwerty123456 asdf1234 asdfasdf asdfqwer qwerasdf zxcvbnm1 zxcvbnm123 asdfghjkl1 qwertyqwerty asdasdasd qweqweqwe zxczxczxc abcabcabc
  1234qwer 1234asdf 1234abcd 12345qwert 12345abc 123456qwerty 123456abc 123456ab 123456aa 123456789a 123456789q 12345678a 1234567a 12345678q
  147258369 159357258 159753456 741852963 963852741 789456123 456789123 123789456 321654987 987456321 147852369 951753852 258456789 123654789 14789632 25802580 13579246 1357924680 2468101214 11223344 1122334455 112233445566 12344321 123454321 1234554321 123456654321 12121212 123123123 123123123123 321321321 456456456 789789789 123321123 10203040 102030405060 01020304 0102030405 19283746 31415926 314159265 11235813 20102010 20202020 55555555555
  07007007 00700700 13131313 69696969 42424242 21212121 80808080 10101010 90909090 01010101 00112233
  dragon12 monkey12 shadow12 master12 hunter12 killer12 freedom1 ncc1701d ncc1701e thx11381 gandalf1 hellokitty babygirl babyboy1 babyblue blahblah
  fuckyou1 fuckyou2 fuckyou! fuckyou123 fuckoff1 asshole1 bullshit pussycat playboy1 sexysexy
  lastname firstname nopassword nothing1 whocares dontknow idontknow forgetit remember security security1 secure123 sysadmin superuser supervisor operator manager1 service1 oracle123 mysql123 postgres cisco123 raspberry ubuntu123 vagrant1 temp1234 temporary temppass demo1234 sample123 example1 company1 company123 business
`

const KEYBOARD_WALKS = [
  '1234567890',
  '0987654321',
  'qwertyuiop',
  'asdfghjkl',
  'zxcvbnm,./',
  'qwertzuiop',
  'azertyuiop',
  'yxcvbnm,.-',
  'йцукенгшщзхъ',
  'abcdefghijklmnopqrstuvwxyz',
]

/** Words that people extend with a number, a year or an exclamation mark. */
const WORDS = `
  password passwort passw0rd admin administrator root user login welcome letmein qwerty qwertz azerty asdf asdfgh zxcvbn abc abcd test hello secret changeme
  love iloveyou angel baby princess sunshine flower summer winter spring autumn monday friday january august october december
  dragon monkey tiger lion eagle panther shadow master killer hunter ranger soccer football baseball hockey pokemon batman superman naruto
  michael michelle daniel david andrew anthony matthew joshua robert thomas jordan justin ashley amanda jessica jennifer nicole samantha george charlie
  maria marie anna laura sarah julia sofia carlos jose juan pedro miguel antonio marco andrea francesco pierre nicolas julien thomas stefan martin peter alex max
  liverpool chelsea arsenal barcelona madrid london paris berlin america canada mexico brasil france deutschland italia india
  company office server apple google samsung computer internet money freedom lucky ginger cookie pepper buster maggie
`

const ENDINGS = [
  '1',
  '2',
  '7',
  '11',
  '12',
  '13',
  '22',
  '69',
  '77',
  '88',
  '99',
  '00',
  '01',
  '123',
  '1234',
  '12345',
  '123456',
  '321',
  '111',
  '007',
  '2000',
  '!',
  '1!',
  '12!',
  '123!',
  '@123',
  '#1',
  '.',
]
const FIRST_RECENT_YEAR = 2015
const LAST_RECENT_YEAR = 2030

const words = (text: string) => text.split(/\s+/).filter((word) => word !== '')
const reversed = (text: string) => Array.from(text).reverse().join('')

function* candidates(): Generator<string> {
  yield* words(LISTED)
  for (const row of KEYBOARD_WALKS) {
    for (const walk of [row, reversed(row)]) {
      for (let start = 0; start + SHORTEST <= walk.length; start++) {
        for (let end = start + SHORTEST; end <= walk.length; end++) yield walk.slice(start, end)
      }
      for (const ending of ENDINGS) yield walk.slice(0, 6) + ending
    }
  }
  // Repeated characters or groups: 11111111, abababab, 12341234.
  for (const unit of [
    ...'0123456789abcdefghijklmnopqrstuvwxyz.*-!',
    ...words('ab 12 21 01 10 abc 123 321 abcd 1234 4321 qwer asdf test pass love'),
  ]) {
    for (let length = SHORTEST; length <= 16; length++) {
      if (length % unit.length === 0) yield unit.repeat(length / unit.length)
    }
  }
  for (const word of words(WORDS)) {
    for (const ending of ENDINGS) yield word + ending
    for (let year = FIRST_RECENT_YEAR; year <= LAST_RECENT_YEAR; year++) {
      yield word + year
      yield `${word}${year}!`
    }
    yield word + word
  }
  for (let year = 1950; year <= LAST_RECENT_YEAR; year++) yield `${year}${year}`
}

let list: ReadonlySet<string> | undefined

/**
 * Whether `password` is one of those that attackers try first, case-insensitively (NIST SP 800-63B, 3.1.1.2).
 * For tenants with `security.passwordBlocklist`. The list is short, because rate limits stop online guessing. It is built
 * on the first call.
 */
export function isCommonPassword(password: string): boolean {
  list ??= new Set([...candidates()].filter((text) => text.length >= SHORTEST))
  return list.has(password.toLowerCase())
}
