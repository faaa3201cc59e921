import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isTestCommand } from '../../../src/editor/testCommand';

const RUNS = `
npm test
npm t
npm run test:unit -- --grep "a (b) && c"
npm --prefix packages/a run test
npm test -w cart
CI=1 npm test 2>&1
cd packages/a && npx vitest run src/cart.test.ts
cd 'my shop'; npm test
pnpm -r test
pnpm --filter cart exec vitest run
yarn workspace cart test
yarn jest cart
bunx jest
bun test
deno task test
npx -y -p vitest@3 vitest --watch
node --test test/
./node_modules/.bin/mocha
python -m pytest -k "not slow"
python3 -m unittest discover
python manage.py test shop
uv run --with x pytest tests
poetry run pytest
source .venv/bin/activate && pytest
.venv/bin/pytest -x
tox -e py312
cargo test -p cart
cargo +nightly nextest run
go test ./...
dotnet test
mvn -q clean test
.\\gradlew.bat :app:testDebugUnitTest
./gradlew check
make -C build test
ctest --output-on-failure
bundle exec rspec spec/cart_spec.rb
bin/rails test
mix test
nx test cart
npx nx run-many -t test
npx playwright test
npx cypress run
sudo time bash scripts/run-tests.sh
./test.sh
php artisan test
vendor/bin/phpunit
timeout 60 npm test
export A=1 && npm test && npx vitest`;

const OTHERS = `

npm install
npm run build
npm run latest
npm run build && npm test
npm test | tail -20
npm test || true
npm test &
(cd a && npm test)
$(which npm) test
echo npm test
git commit -m "npm test"
test -f package.json
cat test.txt
vim src/cart.test.ts
ls test
cd test
cargo build
cargo test --no-run
pytest --collect-only
vitest list
jest --version
npx playwright install
npx cypress open
gradle latest
node test
npm publish pytest
npm test "unclosed
PYTEST_ADDOPTS=-x`;

const lines = (text: string): readonly string[] => text.split('\n').slice(1);

test('a line that plainly runs tests is known, whatever starts them', () => {
  const missed = lines(RUNS).filter((line) => !isTestCommand(line));
  assert.deepEqual(missed, []);
});

test('a line is no run of tests where something else is done, or says how it ends', () => {
  const taken = lines(OTHERS).filter(isTestCommand);
  assert.deepEqual(taken, []);
});

test('a line is read in no time, however long it is and whatever stands in it', () => {
  const odd = ['"', "'", '\\', ':', '-', 'a:', 'npm ', '2>&1', 'test'].map((part) =>
    part.repeat(2_000 / part.length),
  );
  const start = performance.now();
  const heads = ['make ', 'npm ', ''];
  const taken = odd.flatMap((text) => heads.filter((head) => isTestCommand(`${head}${text}!`)));
  assert.deepEqual(taken, []);
  assert.ok(performance.now() - start < 1_000);
  assert.equal(isTestCommand(`npm test ${'x'.repeat(5_000)}`), false);
});
